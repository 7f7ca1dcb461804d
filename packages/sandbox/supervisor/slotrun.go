package main

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"syscall"
)

const slotNamespaces = syscall.CLONE_NEWNS | syscall.CLONE_NEWPID | syscall.CLONE_NEWIPC | syscall.CLONE_NEWUTS | cloneNewCgroup

const cloneNewCgroup = 0x02000000

// runSlot makes a slot, runs the words as its first process on our own input
// and output, and stays until it has ended. The slot ends with us.
func runSlot(config slotConfig, words []string) error {
	// Namespaces belong to threads: this one has its own mounts from here on,
	// and the slot's first process is forked from it.
	runtime.LockOSThread()
	keepDescriptors()
	if err := prepareSlotFolder(config); err != nil {
		return err
	}
	if err := privateMounts(); err != nil {
		return err
	}
	groups, err := makeSlotGroups(config)
	if err != nil {
		return err
	}
	defer groups.remove()
	if err := buildSlotRoot(config); err != nil {
		return err
	}
	code, err := runSlotInit(config, words, groups)
	if err != nil {
		return err
	}
	groups.remove()
	os.Exit(code)
	return nil
}

func prepareSlotFolder(config slotConfig) error {
	if err := os.MkdirAll(config.mountPoint(), 0o700); err != nil {
		return fmt.Errorf("slot: make its folder: %w", err)
	}
	return nil
}

// privateMounts gives this thread a mount namespace from which nothing spreads.
func privateMounts() error {
	if err := syscall.Unshare(syscall.CLONE_NEWNS); err != nil {
		return fmt.Errorf("slot: make a mount namespace: %w", err)
	}
	return mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, "")
}

// runSlotInit starts the first process and gives its exit code.
func runSlotInit(config slotConfig, words []string, groups *slotGroups) (int, error) {
	text, err := json.Marshal(config)
	if err != nil {
		return 0, err
	}
	ready, signal, err := makeGate()
	if err != nil {
		return 0, err
	}
	// A working directory is handed down as a place of the new mount namespace,
	// and neither it nor the program needs a path there: ours may lie where the
	// slot's users have no way.
	if err := syscall.Chdir(config.root()); err != nil {
		return 0, err
	}
	argv := append([]string{"hermes-supervisor", "slot", "init", "--config", string(text), "--"}, words...)
	pid, err := syscall.ForkExec("/proc/self/exe", argv, &syscall.ProcAttr{
		Env: []string{}, Files: []uintptr{0, 1, 2, uintptr(ready)}, Sys: namespacesOf(config),
	})
	syscall.Close(ready)
	if err != nil {
		syscall.Close(signal)
		return 0, fmt.Errorf("slot: make its namespaces: %w", err)
	}
	// From here on only its first process reads and writes these.
	releaseStreams()
	err = groups.take(pid)
	if err == nil {
		err = recordSlot(config, pid)
	}
	if err == nil {
		_, err = syscall.Write(signal, []byte{1})
	}
	syscall.Close(signal)
	code := awaitProcess(pid)
	return code, err
}

func namespacesOf(config slotConfig) *syscall.SysProcAttr {
	attributes := &syscall.SysProcAttr{Cloneflags: slotNamespaces, Pdeathsig: syscall.SIGKILL, Setsid: true}
	if config.Network != "shared" {
		attributes.Cloneflags |= syscall.CLONE_NEWNET
	}
	if config.hasOwnIDs() {
		attributes.Cloneflags |= syscall.CLONE_NEWUSER
		attributes.UidMappings, attributes.GidMappings = config.idMap(), config.idMap()
		attributes.GidMappingsEnableSetgroups = true
		attributes.Credential = &syscall.Credential{Uid: 0, Gid: 0}
	}
	return attributes
}

func makeGate() (ready, signal int, err error) {
	var ends [2]int
	if err := syscall.Pipe2(ends[:], syscall.O_CLOEXEC); err != nil {
		return -1, -1, err
	}
	return ends[0], ends[1], nil
}

func releaseStreams() {
	null, err := syscall.Open("/dev/null", syscall.O_RDWR|syscall.O_CLOEXEC, 0)
	if err != nil {
		return // then the other side sees their end a little later, with ours
	}
	syscall.Dup3(null, 0, 0)
	syscall.Dup3(null, 1, 0)
}

func awaitProcess(pid int) int {
	var status syscall.WaitStatus
	for {
		_, err := syscall.Wait4(pid, &status, 0, nil)
		if err == syscall.EINTR {
			continue
		}
		if err != nil || status.Signaled() {
			return 128 + int(status.Signal())
		}
		return status.ExitStatus()
	}
}
