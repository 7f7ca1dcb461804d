package main

import (
	"io"
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

// readSome is one read of the channel; end of input is io.EOF.
func (c *channel) readSome(into []byte) (int, error) {
	for {
		if c.lender >= 0 {
			if err := c.awaitInput(); err != nil {
				return 0, err
			}
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
