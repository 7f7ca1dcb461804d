package main

import (
	"io"
	"os"
	"syscall"
	"time"
	"unsafe"
)

const (
	pollIn  = 0x1
	pollOut = 0x4
)

type pollEntry struct {
	fd      int32
	events  int16
	revents int16
}

// waitFor blocks until the descriptor is ready; milliseconds -1: without limit.
func waitFor(fd int, events int16, milliseconds int) error {
	entry := pollEntry{fd: int32(fd), events: events}
	timeout := timespecOf(milliseconds)
	_, _, errno := syscall.Syscall6(syscall.SYS_PPOLL, uintptr(unsafe.Pointer(&entry)), 1, uintptr(unsafe.Pointer(timeout)), 0, 0, 0)
	if errno != 0 && errno != syscall.EINTR {
		return errno
	}
	return nil
}

func timespecOf(milliseconds int) *syscall.Timespec {
	if milliseconds < 0 {
		return nil
	}
	made := syscall.NsecToTimespec(int64(milliseconds) * int64(time.Millisecond))
	return &made
}

// openInput gives a descriptor of its own for our input. The runtime waits for
// it, with everything else it waits for: a thread that blocks in a read instead
// would have to be woken, beside a scheduler that looks after it all the time.
func openInput(fd int) (*os.File, error) {
	own, _, errno := syscall.Syscall(syscall.SYS_FCNTL, uintptr(fd), syscall.F_DUPFD_CLOEXEC, 3)
	if errno != 0 {
		return nil, os.NewSyscallError("fcntl", errno)
	}
	if err := syscall.SetNonblock(int(own), true); err != nil {
		syscall.Close(int(own))
		return nil, os.NewSyscallError("fcntl", err)
	}
	return os.NewFile(own, "input"), nil
}

// readSome is one read of the channel; end of input is io.EOF.
func (c *channel) readSome(into []byte) (int, error) {
	if c.input == nil {
		return c.readLent(into)
	}
	n, err := c.input.Read(into)
	c.noteRead()
	return n, err
}

func (c *channel) readLent(into []byte) (int, error) {
	for {
		if err := c.awaitInput(); err != nil {
			return 0, err
		}
		n, err := syscall.Read(c.in, into)
		if err == syscall.EINTR {
			continue
		}
		if err == syscall.EAGAIN {
			if err = waitFor(c.in, pollIn, -1); err == nil {
				continue
			}
		}
		if err != nil {
			return 0, err
		}
		if n <= 0 {
			return 0, io.EOF
		}
		c.noteRead()
		return n, nil
	}
}

func (c *channel) noteRead() {
	c.mutex.Lock()
	c.lastRead = time.Now()
	c.mutex.Unlock()
}
