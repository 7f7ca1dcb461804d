package main

import (
	"fmt"
	"syscall"
	"unsafe"
)

// instruction is one of the classic packet filter, in which system calls are filtered.
type instruction struct {
	code  uint16
	yes   uint8
	no    uint8
	value uint32
}

const (
	loadWord    = 0x20
	jumpEqual   = 0x15
	jumpAtLeast = 0x35
	jumpAnyBit  = 0x45
	giveBack    = 0x06

	numberOffset       = 0
	architectureOffset = 4
	firstArgument      = 16 // its lower half: both processors are little-endian

	allowCall    = 0x7fff0000
	refuseCall   = 0x00050000
	filterMode   = 2
	prSetSeccomp = 22

	// CLONE_NEWTIME is a signal number here; clone cannot make that one.
	namespaceFlags = syscall.CLONE_NEWNS | syscall.CLONE_NEWUTS | syscall.CLONE_NEWIPC | syscall.CLONE_NEWUSER |
		syscall.CLONE_NEWPID | syscall.CLONE_NEWNET | cloneNewCgroup
)

// filterCalls refuses what reaches around a slot's walls: mounts, namespaces
// (a user namespace would bring all capabilities back), the kernel's keys,
// tracing of the kernel, and the calls of other processors, whose numbers differ.
func filterCalls() error {
	program := slotFilter()
	filter := struct {
		length uint16
		_      [6]byte
		first  *instruction
	}{length: uint16(len(program)), first: &program[0]}
	_, _, errno := syscall.RawSyscall6(syscall.SYS_PRCTL, prSetSeccomp, filterMode, uintptr(unsafe.Pointer(&filter)), 0, 0, 0)
	if errno != 0 {
		return fmt.Errorf("slot: filter its system calls: %w", errno)
	}
	return nil
}

func slotFilter() []instruction {
	refuse := func(errno syscall.Errno) instruction {
		return instruction{giveBack, 0, 0, refuseCall | uint32(errno)}
	}
	program := []instruction{
		{loadWord, 0, 0, architectureOffset},
		{jumpEqual, 1, 0, ownArchitecture},
		refuse(syscall.ENOSYS),
		{loadWord, 0, 0, numberOffset},
		{jumpAtLeast, 0, 1, foreignNumbers},
		refuse(syscall.ENOSYS),
		// Its flags are in memory, where a filter cannot look; libraries then use clone.
		{jumpEqual, 0, 1, callClone3},
		refuse(syscall.ENOSYS),
	}
	for _, number := range refusedCalls {
		program = append(program, instruction{jumpEqual, 0, 1, number}, refuse(syscall.EPERM))
	}
	return append(program,
		instruction{jumpEqual, 0, 3, syscall.SYS_CLONE},
		instruction{loadWord, 0, 0, firstArgument},
		instruction{jumpAnyBit, 0, 1, namespaceFlags},
		refuse(syscall.EPERM),
		instruction{giveBack, 0, 0, allowCall},
	)
}

// The same numbers on every processor.
const callClone3 = 435

var refusedCalls = append([]uint32{
	syscall.SYS_MOUNT, syscall.SYS_UMOUNT2, syscall.SYS_PIVOT_ROOT, syscall.SYS_UNSHARE, callSetns,
	428, 429, 430, 431, 432, 433, 442, // open_tree, move_mount, fsopen, fsconfig, fsmount, fspick, mount_setattr
	467, 457, 458, // open_tree_attr, statmount, listmount
	syscall.SYS_ADD_KEY, syscall.SYS_REQUEST_KEY, syscall.SYS_KEYCTL,
	syscall.SYS_PERF_EVENT_OPEN, callBpf, callUserfaultfd,
	425, 426, 427, // io_uring: what it does passes no filter
	callNameToHandle, callOpenByHandle,
	syscall.SYS_INIT_MODULE, syscall.SYS_DELETE_MODULE, callFinitModule,
	callKexecLoad, callKexecFileLoad, syscall.SYS_REBOOT, syscall.SYS_SWAPON, syscall.SYS_SWAPOFF,
	syscall.SYS_ACCT, syscall.SYS_QUOTACTL, 443, // quotactl_fd
	syscall.SYS_SYSLOG, syscall.SYS_LOOKUP_DCOOKIE,
}, processorCalls...)
