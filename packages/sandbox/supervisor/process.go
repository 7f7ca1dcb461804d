package main

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
)

// process is a row of /proc.
type process struct {
	pid, parent, group, session int
	start                       uint64 // clock ticks since boot
	state                       byte
}

func (p process) isDead() bool { return p.state == 'Z' || p.state == 'X' }

// listProcesses reads all of /proc that can be read.
func listProcesses() map[int]process {
	found := map[int]process{}
	folder, err := os.Open("/proc")
	if err != nil {
		return found
	}
	defer folder.Close()
	names, _ := folder.Readdirnames(-1) // what was read before an error still counts
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil {
			if one, ok := readProcess(pid); ok {
				found[pid] = one
			}
		}
	}
	return found
}

func readProcess(pid int) (process, bool) {
	text, err := readProc(pid, "/stat", make([]byte, 1024))
	if err != nil {
		return process{}, false
	}
	return parseStat(pid, text)
}

func readProc(pid int, name string, into []byte) ([]byte, error) {
	fd, err := syscall.Open("/proc/"+strconv.Itoa(pid)+name, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	defer syscall.Close(fd)
	n, err := syscall.Read(fd, into)
	if err != nil {
		return nil, err
	}
	return into[:n], nil
}

// parseStat starts behind the last parenthesis: a program's name may hold any.
func parseStat(pid int, text []byte) (process, bool) {
	behind := bytes.LastIndexByte(text, ')')
	if behind < 0 {
		return process{}, false
	}
	fields := bytes.Fields(text[behind+1:])
	if len(fields) < 20 {
		return process{}, false
	}
	number := func(at int) int {
		value, _ := strconv.Atoi(string(fields[at])) // the kernel writes digits
		return value
	}
	start, _ := strconv.ParseUint(string(fields[19]), 10, 64)
	return process{pid, number(1), number(2), number(3), start, fields[0][0]}, true
}

// markOf reads the HERMES_EXEC variable with which a program was started.
func markOf(pid int) string {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	if err != nil {
		return ""
	}
	for _, entry := range bytes.Split(text, []byte{0}) {
		if mark, ok := bytes.CutPrefix(entry, []byte("HERMES_EXEC=")); ok {
			return string(mark)
		}
	}
	return ""
}

// signalProcess sends to exactly the process that was listed: a pid that was
// given to another one meanwhile is left alone.
func signalProcess(target process, signal syscall.Signal) bool {
	fd, _, errno := syscall.Syscall(sysPidfdOpen, uintptr(target.pid), 0, 0)
	if errno != 0 {
		return signalByNumber(target, signal, errno)
	}
	defer syscall.Close(int(fd))
	if !isSame(target) {
		return false
	}
	_, _, errno = syscall.Syscall6(sysPidfdSendSignal, fd, uintptr(signal), 0, 0, 0, 0)
	return errno == 0
}

const (
	sysPidfdSendSignal = 424
	sysPidfdOpen       = 434
)

// signalByNumber serves kernels and sandboxes without pidfd.
func signalByNumber(target process, signal syscall.Signal, cause syscall.Errno) bool {
	if cause == syscall.ESRCH || !isSame(target) {
		return false
	}
	return syscall.Kill(target.pid, signal) == nil
}

func isSame(target process) bool {
	now, ok := readProcess(target.pid)
	return ok && now.start == target.start && !now.isDead()
}
