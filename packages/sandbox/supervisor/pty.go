package main

import (
	"encoding/json"
	"fmt"
	"os"
	"syscall"
	"unsafe"
)

func ioctl(fd int, request uintptr, argument unsafe.Pointer) error {
	if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, uintptr(fd), request, uintptr(argument)); errno != 0 {
		return errno
	}
	return nil
}

// openTerminal gives a new pseudo-terminal: our side and the command's.
func openTerminal(size windowSize) (master, slave int, err error) {
	master, err = syscall.Open("/dev/ptmx", syscall.O_RDWR|syscall.O_NOCTTY|syscall.O_CLOEXEC|syscall.O_NONBLOCK, 0)
	if err != nil {
		return -1, -1, fmt.Errorf("open a terminal: %w", err)
	}
	var unlock, number int32
	if err = ioctl(master, syscall.TIOCSPTLCK, unsafe.Pointer(&unlock)); err == nil {
		err = ioctl(master, syscall.TIOCGPTN, unsafe.Pointer(&number))
	}
	if err == nil {
		slave, err = syscall.Open(fmt.Sprintf("/dev/pts/%d", number), syscall.O_RDWR|syscall.O_NOCTTY|syscall.O_CLOEXEC, 0)
	}
	if err != nil {
		syscall.Close(master)
		return -1, -1, fmt.Errorf("open a terminal: %w", err)
	}
	return master, slave, setWindow(master, size)
}

func setWindow(fd int, size windowSize) error {
	fields := [4]uint16{size.Rows, size.Cols, 0, 0}
	return ioctl(fd, syscall.TIOCSWINSZ, unsafe.Pointer(&fields))
}

// connectTerminal makes one stream of the terminal; input goes the same way.
func (e *execution) connectTerminal(plan *command) ([]int, error) {
	master, slave, err := openTerminal(*e.message.TTY)
	if err != nil {
		return nil, err
	}
	if plan.who != nil {
		syscall.Fchown(slave, int(plan.who.uid), -1) // as login does; a refusal shows when the command opens it
	}
	plan.files = [3]uintptr{uintptr(slave), uintptr(slave), uintptr(slave)}
	file := os.NewFile(uintptr(master), "terminal")
	e.mutex.Lock()
	e.terminal = file
	e.mutex.Unlock()
	if e.stdin != nil {
		e.stdin.file = file
	}
	e.addStream(typeStdout, file)
	return []int{slave}, nil
}

func (e *execution) resize(f frame) {
	var size windowSize
	e.mutex.Lock()
	terminal := e.terminal
	e.mutex.Unlock()
	if terminal == nil || json.Unmarshal(f.payload, &size) != nil {
		return
	}
	raw, err := terminal.SyscallConn()
	if err == nil {
		raw.Control(func(fd uintptr) { setWindow(int(fd), size) })
	}
}
