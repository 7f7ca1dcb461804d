package main

import (
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"unsafe"
)

const (
	prSetDumpable       = 4
	prSetChildSubreaper = 36
)

func prctl(option, value uintptr) error {
	if _, _, errno := syscall.RawSyscall6(syscall.SYS_PRCTL, option, value, 0, 0, 0, 0); errno != 0 {
		return errno
	}
	return nil
}

// keepDescriptors stops what we inherited by accident from reaching children.
func keepDescriptors() {
	const closeRange, cloexec = 436, 4
	if _, _, errno := syscall.RawSyscall(closeRange, 3, ^uintptr(0)>>1, cloexec); errno == 0 {
		return
	}
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return // neither a new kernel nor /proc
	}
	for _, entry := range entries {
		if fd, err := strconv.Atoi(entry.Name()); err == nil && fd > 2 {
			syscall.CloseOnExec(fd)
		}
	}
}

func clockGettime(clock uintptr, into *syscall.Timespec) {
	syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, clock, uintptr(unsafe.Pointer(into)), 0)
}

// shieldSelf makes us the subreaper of all we start, and unreadable to it.
func shieldSelf() error {
	if err := prctl(prSetChildSubreaper, 1); err != nil {
		return fmt.Errorf("PR_SET_CHILD_SUBREAPER: %w", err)
	}
	if err := prctl(prSetDumpable, 0); err != nil {
		return fmt.Errorf("PR_SET_DUMPABLE: %w", err)
	}
	return nil
}

// handleSignals ends on TERM. The others are caught, not ignored: children
// would inherit an ignored signal. As the first process of a namespace it is
// ended from outside by KILL alone, which nobody inside can send to it: there
// every signal is caught, also those on which Go's own handlers would give up.
func handleSignals(onTerm func()) {
	dropped := make(chan os.Signal, 1)
	if os.Getpid() == 1 {
		signal.Notify(dropped)
		signal.Reset(syscall.SIGCHLD, syscall.SIGURG) // often, and harmless
		return
	}
	signal.Notify(dropped, syscall.SIGHUP, syscall.SIGINT, syscall.SIGPIPE, syscall.SIGQUIT, syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGTSTP, syscall.SIGTTIN, syscall.SIGTTOU)
	term := make(chan os.Signal, 1)
	signal.Notify(term, syscall.SIGTERM)
	go func() {
		<-term
		onTerm()
	}()
}
