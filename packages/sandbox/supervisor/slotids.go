package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"unsafe"
)

// A slot's users: its root and system accounts are an own range of thousand
// outside, and all others, up to 65535, an own range further up.
const (
	firstSystemID = 100_000
	systemIDs     = 1000
	firstOtherID  = 100_000_000
	allIDs        = 65_536
)

func (c slotConfig) hasOwnIDs() bool { return c.IDs == "own" }

func (c slotConfig) idMap() []syscall.SysProcIDMap {
	return []syscall.SysProcIDMap{
		{ContainerID: 0, HostID: firstSystemID + c.Index*systemIDs, Size: systemIDs},
		{ContainerID: systemIDs, HostID: firstOtherID + c.Index*allIDs, Size: allIDs - systemIDs},
	}
}

// outside gives the number under which an id of the slot is known outside.
func (c slotConfig) outside(id int) int {
	if !c.hasOwnIDs() {
		return id
	}
	for _, part := range c.idMap() {
		if id >= part.ContainerID && id < part.ContainerID+part.Size {
			return part.HostID + id - part.ContainerID
		}
	}
	return id
}

// owns is about ids as they are known outside.
func (c slotConfig) owns(id int) bool {
	for _, part := range c.idMap() {
		if c.hasOwnIDs() && id >= part.HostID && id < part.HostID+part.Size {
			return true
		}
	}
	return false
}

// giveToRoot makes a file of ours the slot's root's.
func (c slotConfig) giveToRoot(path string) error {
	return os.Lchown(path, c.outside(0), c.outside(0))
}

const (
	callOpenTree     = 428
	callMoveMount    = 429
	callMountSetattr = 442

	atHere         = ^uintptr(99) // AT_FDCWD
	atEmptyPath    = 0x1000
	openTreeClone  = 1
	openTreeClose  = syscall.O_CLOEXEC
	moveFromEmpty  = 4
	attributeIDMap = 0x00100000
)

// mountMapped makes a file system visible at another place, there with the
// owners that the slot's users have outside.
func mountMapped(config slotConfig, source, place string) error {
	users, err := openUsers(config)
	if err != nil {
		return err
	}
	defer syscall.Close(users)
	name, err := syscall.BytePtrFromString(source)
	if err != nil {
		return err
	}
	tree, _, errno := syscall.Syscall(callOpenTree, atHere, uintptr(unsafe.Pointer(name)), openTreeClone|openTreeClose)
	if errno != 0 {
		return fmt.Errorf("slot: clone the mount of %s: %w", source, errno)
	}
	defer syscall.Close(int(tree))
	attributes := struct{ set, clear, propagation, users uint64 }{set: attributeIDMap, users: uint64(users)}
	var empty byte
	at := uintptr(unsafe.Pointer(&empty))
	_, _, errno = syscall.Syscall6(callMountSetattr, tree, at, atEmptyPath, uintptr(unsafe.Pointer(&attributes)), unsafe.Sizeof(attributes), 0)
	if errno != 0 {
		return fmt.Errorf("slot: map the owners of %s: %w", source, errno)
	}
	target, err := syscall.BytePtrFromString(place)
	if err != nil {
		return err
	}
	_, _, errno = syscall.Syscall6(callMoveMount, tree, at, atHere, uintptr(unsafe.Pointer(target)), moveFromEmpty, 0)
	if errno != 0 {
		return fmt.Errorf("slot: mount %s at %s: %w", source, place, errno)
	}
	return nil
}

// openUsers gives a user namespace with the slot's ids. A namespace needs a
// process at its birth: one that is stopped before its first instruction.
func openUsers(config slotConfig) (int, error) {
	pid, err := syscall.ForkExec("/proc/self/exe", []string{"hermes-supervisor"}, &syscall.ProcAttr{
		Sys: &syscall.SysProcAttr{
			Ptrace: true, Cloneflags: syscall.CLONE_NEWUSER, Pdeathsig: syscall.SIGKILL,
			UidMappings: config.idMap(), GidMappings: config.idMap(), GidMappingsEnableSetgroups: true,
		},
	})
	if err != nil {
		return -1, fmt.Errorf("slot: make a user namespace: %w", err)
	}
	defer awaitProcess(pid)
	defer syscall.Kill(pid, syscall.SIGKILL)
	users, err := syscall.Open("/proc/"+strconv.Itoa(pid)+"/ns/user", syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return -1, fmt.Errorf("slot: open its user namespace: %w", err)
	}
	return users, nil
}

// canMapOwners tries it on a file system.
func canMapOwners(config slotConfig, source string) error {
	place := config.mountPoint()
	if err := mountMapped(config, source, place); err != nil {
		return err
	}
	return syscall.Unmount(place, syscall.MNT_DETACH)
}

func (c slotConfig) tree() string { return filepath.Join(c.Folder, "tree") }
