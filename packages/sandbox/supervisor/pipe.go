package main

import (
	"os"
	"syscall"
)

// makePipe gives our end, which the runtime waits for, and the child's, which
// blocks as programs expect. Both are close-on-exec.
func makePipe(weRead bool) (ours *os.File, theirs int, err error) {
	var ends [2]int
	if err := syscall.Pipe2(ends[:], syscall.O_CLOEXEC); err != nil {
		return nil, -1, os.NewSyscallError("pipe", err)
	}
	own, other := ends[1], ends[0]
	if weRead {
		own, other = ends[0], ends[1]
	}
	if err := syscall.SetNonblock(own, true); err != nil {
		closeAll(ends[:])
		return nil, -1, os.NewSyscallError("pipe", err)
	}
	return os.NewFile(uintptr(own), "pipe"), other, nil
}

func closeAll(descriptors []int) {
	for _, one := range descriptors {
		syscall.Close(one)
	}
}

// enlargePipe saves switches between the command and us. A refusal, for a user
// with many pipes, only costs speed.
func enlargePipe(fd int) {
	const setPipeSize = 1031
	syscall.Syscall(syscall.SYS_FCNTL, uintptr(fd), setPipeSize, 512<<10)
}
