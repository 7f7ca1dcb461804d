package main

import (
	"fmt"
	"strconv"
	"strings"
	"syscall"
)

var signalNames = map[syscall.Signal]string{
	1: "HUP", 2: "INT", 3: "QUIT", 4: "ILL", 5: "TRAP", 6: "ABRT", 7: "BUS", 8: "FPE", 9: "KILL", 10: "USR1", 11: "SEGV", 12: "USR2",
	13: "PIPE", 14: "ALRM", 15: "TERM", 16: "STKFLT", 17: "CHLD", 18: "CONT", 19: "STOP", 20: "TSTP", 21: "TTIN", 22: "TTOU", 23: "URG",
	24: "XCPU", 25: "XFSZ", 26: "VTALRM", 27: "PROF", 28: "WINCH", 29: "IO", 30: "PWR", 31: "SYS",
}

func signalName(number syscall.Signal) string {
	if name, known := signalNames[number]; known {
		return "SIG" + name
	}
	return fmt.Sprintf("SIGRTMIN+%d", int(number)-34)
}

// signalNumber takes TERM, SIGTERM or 15.
func signalNumber(name string) (syscall.Signal, bool) {
	if number, err := strconv.Atoi(name); err == nil {
		return syscall.Signal(number), number > 0 && number <= 64
	}
	short := strings.TrimPrefix(strings.ToUpper(name), "SIG")
	for number, known := range signalNames {
		if known == short {
			return number, true
		}
	}
	return 0, false
}

// signal sends to the leader or to its whole tree.
func (e *execution) signal(number syscall.Signal, wholeTree bool) {
	e.mutex.Lock()
	pid := e.pid
	e.mutex.Unlock()
	if pid == 0 {
		return
	}
	if wholeTree {
		e.tree.signalAll(number)
		return
	}
	e.server.reaper.signalOwn(pid, number)
}

// signalOwn sends to a child that was not waited for yet, so the pid is its own.
func (r *reaper) signalOwn(pid int, number syscall.Signal) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if _, alive := r.waiting[pid]; alive {
		syscall.Kill(pid, number)
	}
}
