package main

import (
	"fmt"
	"syscall"
	"unsafe"
)

// What programs in a slot keep: enough for package managers and servers.
var slotCapabilities = []uintptr{
	0,  // CHOWN
	1,  // DAC_OVERRIDE
	3,  // FOWNER
	4,  // FSETID
	5,  // KILL
	6,  // SETGID
	7,  // SETUID
	10, // NET_BIND_SERVICE
	18, // SYS_CHROOT
	31, // SETFCAP
}

const (
	prCapBoundingDrop = 24
	prSetNoNewPrivs   = 38
	prCapAmbient      = 47
	ambientClearAll   = 4
	lastCapability    = 63
)

// dropRights leaves this thread, and what it becomes by exec, with the ordinary
// rights of a container's root: no way to mount, to make namespaces or to touch
// another slot, and none to gain new rights.
func dropRights() error {
	var keep uint64
	for _, one := range slotCapabilities {
		keep |= 1 << one
	}
	for one := uintptr(0); one <= lastCapability; one++ {
		if keep>>one&1 == 1 {
			continue
		}
		if err := prctl(prCapBoundingDrop, one); err == syscall.EINVAL {
			break // the kernel knows no more
		} else if err != nil {
			return fmt.Errorf("slot: drop capability %d: %w", one, err)
		}
	}
	prctl(prCapAmbient, ambientClearAll) // a kernel that has none has nothing to clear
	if err := prctl(prSetNoNewPrivs, 1); err != nil {
		return fmt.Errorf("slot: forbid new rights: %w", err)
	}
	if err := setCapabilities(keep); err != nil {
		return err
	}
	return filterCalls()
}

func setCapabilities(keep uint64) error {
	header := struct {
		version uint32
		pid     int32
	}{version: 0x20080522}
	type set struct{ effective, permitted, inheritable uint32 }
	data := [2]set{{uint32(keep), uint32(keep), 0}, {uint32(keep >> 32), uint32(keep >> 32), 0}}
	_, _, errno := syscall.RawSyscall(syscall.SYS_CAPSET, uintptr(unsafe.Pointer(&header)), uintptr(unsafe.Pointer(&data)), 0)
	if errno != 0 {
		return fmt.Errorf("slot: set capabilities: %w", errno)
	}
	return nil
}
