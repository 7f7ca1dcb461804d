package main

import (
	"syscall"
	"unsafe"
)

// writeBoth writes two pieces one after the other, with one call where it can.
func writeBoth(fd int, first, second []byte) error {
	for len(first)+len(second) > 0 {
		n, err := writeSome(fd, first, second)
		if err == syscall.EINTR {
			continue
		}
		if err == syscall.EAGAIN {
			err = waitFor(fd, pollOut, -1)
		}
		if err != nil {
			return err
		}
		ofFirst := min(max(n, 0), len(first))
		first, second = first[ofFirst:], second[max(n, 0)-ofFirst:]
	}
	return nil
}

func writeSome(fd int, first, second []byte) (int, error) {
	if len(first) == 0 {
		return syscall.Write(fd, second)
	}
	if len(second) == 0 {
		return syscall.Write(fd, first)
	}
	pieces := [2]syscall.Iovec{{Base: &first[0]}, {Base: &second[0]}}
	pieces[0].SetLen(len(first))
	pieces[1].SetLen(len(second))
	n, _, errno := syscall.Syscall(syscall.SYS_WRITEV, uintptr(fd), uintptr(unsafe.Pointer(&pieces)), 2)
	if errno != 0 {
		return -1, errno
	}
	return int(n), nil
}
