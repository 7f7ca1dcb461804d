package main

import (
	"errors"
	"runtime"
	"syscall"
	"unsafe"
)

// asUser runs a file action with the rights of the user. The kernel keeps these
// per thread: the thread is used for nothing else and ends with the action.
func (c *channel) asUser(id uint32, user, path string, action func()) {
	who, err := findAccount(user, c.server.uid)
	if err == nil && who != nil {
		runtime.LockOSThread()
		err = who.become()
	}
	if err != nil {
		c.refuseUser(id, err)
		return
	}
	action()
}

func (c *channel) refuseUser(id uint32, err error) {
	code := "NOT_STARTED"
	var unsupported unsupportedError
	if errors.As(err, &unsupported) {
		code = "UNSUPPORTED"
	}
	c.fail(id, code, err.Error())
	c.release(id)
}

// become changes what this thread may do with files.
func (a *account) become() error {
	if !groupsAreFixed() {
		first := unsafe.Pointer(unsafe.SliceData(a.groups))
		if _, _, errno := syscall.RawSyscall(syscall.SYS_SETGROUPS, uintptr(len(a.groups)), uintptr(first), 0); errno != 0 {
			return errno
		}
	}
	syscall.RawSyscall(syscall.SYS_SETFSGID, uintptr(a.gid), 0, 0)
	syscall.RawSyscall(syscall.SYS_SETFSUID, uintptr(a.uid), 0, 0)
	const ask = ^uintptr(0) // an id that cannot be: only answers what is set
	if now, _, _ := syscall.RawSyscall(syscall.SYS_SETFSUID, ask, 0, 0); now != uintptr(a.uid) {
		return errors.New("the user could not be taken on")
	}
	return nil
}
