package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"syscall"
	"unsafe"
)

// enterSlot is the slot's first process: it makes what only it can, gives up
// every right that a slot shall not have, and becomes the supervisor.
func enterSlot(config slotConfig, words []string) error {
	runtime.LockOSThread()
	if err := awaitGate(); err != nil {
		return err
	}
	for _, step := range []func(slotConfig) error{enterRoot, mountKernelFolders, pivotInto, nameHost, raiseLoopback, makeWorkdir} {
		if err := step(config); err != nil {
			return err
		}
	}
	if err := dropRights(); err != nil {
		return err
	}
	program := slotPrivateDir + "/hermes-supervisor"
	argv := append([]string{"hermes-supervisor"}, words...)
	env := []string{"PATH=" + defaultPath, "HOME=/root"}
	return fmt.Errorf("slot: start its supervisor: %w", syscall.Exec(program, argv, env))
}

// awaitGate returns when whoever made us has put us into the control groups.
func awaitGate() error {
	gate := os.NewFile(3, "gate")
	defer gate.Close()
	if _, err := gate.Read(make([]byte, 1)); err != nil {
		return errors.New("slot: its maker gave it up")
	}
	return nil
}

// What of /proc and /sys reaches beyond the slot. As root of no namespace of
// its own it could change the machine through these.
var (
	readOnlyPlaces = []string{"proc/bus", "proc/fs", "proc/irq", "proc/sys", "proc/sysrq-trigger"}
	maskedFiles    = []string{"proc/kcore", "proc/keys", "proc/latency_stats", "proc/timer_list", "proc/sched_debug", "proc/kmsg", "proc/kallsyms", "proc/kpagecount", "proc/kpageflags"}
	maskedFolders  = []string{"proc/acpi", "proc/asound", "proc/scsi", "sys/firmware", "sys/devices/virtual/powercap"}
)

// enterRoot mounts the built root, in which we start, over itself: in a user
// namespace mounts of others are locked, and only one of our own can become the root.
func enterRoot(slotConfig) error {
	if err := mount(".", ".", "", syscall.MS_BIND|syscall.MS_REC, ""); err != nil {
		return err
	}
	return os.Chdir("../root") // the way to the new one of the same name
}

// mountSystem shows /sys of the slot's own network. That of a network that is not
// its own cannot be mounted by its users: then it is the container's.
func mountSystem(config slotConfig, flags uintptr) error {
	if config.Network != "shared" || !config.hasOwnIDs() {
		return mount("sysfs", "sys", "sysfs", flags|syscall.MS_RDONLY, "")
	}
	return mount("/sys", "sys", "", syscall.MS_BIND|syscall.MS_REC, "")
}

func mountKernelFolders(config slotConfig) error {
	const plain = syscall.MS_NOSUID | syscall.MS_NODEV | syscall.MS_NOEXEC
	if err := mount("proc", "proc", "proc", plain, ""); err != nil {
		return err
	}
	if err := mountSystem(config, plain); err != nil {
		return err
	}
	for _, place := range readOnlyPlaces {
		if err := bindReadOnly(place); err != nil {
			return err
		}
	}
	for _, place := range maskedFiles {
		if err := maskPlace(place, "dev/null", "", syscall.MS_BIND); err != nil {
			return err
		}
	}
	for _, place := range maskedFolders {
		if err := maskPlace(place, "tmpfs", "tmpfs", syscall.MS_RDONLY|plain); err != nil {
			return err
		}
	}
	return nil
}

func bindReadOnly(path string) error {
	if _, err := os.Lstat(path); err != nil {
		return nil // this kernel has none
	}
	if err := mount(path, path, "", syscall.MS_BIND|syscall.MS_REC, ""); err != nil {
		return err
	}
	const flags = syscall.MS_REMOUNT | syscall.MS_BIND | syscall.MS_RDONLY | syscall.MS_NOSUID | syscall.MS_NODEV | syscall.MS_NOEXEC
	return mount("", path, "", flags, "")
}

func maskPlace(path, source, kind string, flags uintptr) error {
	if _, err := os.Lstat(path); err != nil {
		return nil // this kernel has none
	}
	return mount(source, path, kind, flags, "")
}

// pivotInto makes the built root ours, and lets go of the container's: nothing
// of it can be named from here on.
func pivotInto(config slotConfig) error {
	if err := syscall.PivotRoot(".", "."); err != nil {
		return fmt.Errorf("slot: pivot_root: %w", err)
	}
	if err := syscall.Unmount(".", syscall.MNT_DETACH); err != nil {
		return fmt.Errorf("slot: let go of the container's root: %w", err)
	}
	return os.Chdir("/")
}

func nameHost(config slotConfig) error {
	if err := syscall.Sethostname([]byte(config.Hostname)); err != nil {
		return fmt.Errorf("slot: set its name: %w", err)
	}
	return nil
}

// raiseLoopback makes 127.0.0.1 answer: a new network namespace has it down.
func raiseLoopback(config slotConfig) error {
	if config.Network == "shared" {
		return nil
	}
	socket, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_DGRAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("slot: raise the loopback: %w", err)
	}
	defer syscall.Close(socket)
	request := struct {
		name  [16]byte
		flags uint16
		_     [22]byte
	}{flags: syscall.IFF_UP}
	copy(request.name[:], "lo")
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, uintptr(socket), syscall.SIOCSIFFLAGS, uintptr(unsafe.Pointer(&request)))
	if errno != 0 {
		return fmt.Errorf("slot: raise the loopback: %w", errno)
	}
	return nil
}

// makeWorkdir runs inside, where a link leads nowhere else.
func makeWorkdir(config slotConfig) error {
	_, err := os.Stat(config.Workdir)
	if err := os.MkdirAll(config.Workdir, 0o755); err != nil {
		return fmt.Errorf("slot: make %s: %w", config.Workdir, err)
	}
	if err != nil && config.User != "" {
		owner, err := lookUp(config.User)
		if err != nil {
			return err
		}
		if err := os.Chown(config.Workdir, int(owner.uid), int(owner.gid)); err != nil {
			return err
		}
	}
	return os.Chdir(config.Workdir)
}
