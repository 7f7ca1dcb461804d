package main

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// What a shell needs between commands: its input on descriptor 0, nothing on 1
// and 2, the report on 3. While a command runs the shell keeps them elsewhere,
// where "exec 12>&-" reaches them, so afterwards they are looked at.

// fileID tells what a descriptor leads to.
type fileID struct{ device, inode uint64 }

const (
	damagedShellEndsAfter = 300 * time.Millisecond
	settleTime            = 3 * time.Millisecond
)

// plumbing is what the descriptors 0 to 3 led to when the shell was started.
func plumbing(input, null, report int) ([4]fileID, error) {
	made := [4]fileID{}
	for at, fd := range []int{input, null, null, report} {
		var stat syscall.Stat_t
		if err := syscall.Fstat(fd, &stat); err != nil {
			return made, os.NewSyscallError("fstat", err)
		}
		made[at] = idOf(&stat)
	}
	return made, nil
}

func idOf(stat *syscall.Stat_t) fileID { return fileID{uint64(stat.Dev), stat.Ino} }

// isDamaged looks where the shell's descriptors lead, twice, since the shell may
// be just about to put them back.
func (p *shell) isDamaged() bool {
	if !canSeeDescriptors() || !p.looksDamaged() {
		return false
	}
	time.Sleep(settleTime)
	return p.looksDamaged()
}

// looksDamaged is false where it cannot be seen. The report is on 1 for a
// moment while bash writes it.
func (p *shell) looksDamaged() bool {
	for at, wanted := range p.plumbing {
		var stat syscall.Stat_t
		err := syscall.Stat(fmt.Sprintf("/proc/%d/fd/%d", p.pid, at), &stat)
		if err != nil {
			return err != syscall.EACCES && err != syscall.EPERM
		}
		if seen := idOf(&stat); seen != wanted && !(at == 1 && seen == p.plumbing[3]) {
			return true
		}
	}
	return false
}

func canSeeDescriptors() bool {
	var stat syscall.Stat_t
	return syscall.Stat("/proc/self/fd/0", &stat) == nil
}

// awaitEnd follows the end of the report. A shell that closed it by itself does
// not end, and is of no more use.
func (p *shell) awaitEnd() {
	select {
	case <-p.gone:
	case <-time.After(damagedShellEndsAfter):
		p.replaceLater(p.tree.registry.reaper)
	}
}

// nearestFolder is the folder, or the nearest above it that is still there.
func nearestFolder(path string) string {
	for checkCwd(path) != nil {
		path = filepath.Dir(path)
	}
	return path
}
