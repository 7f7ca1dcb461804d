package main

import (
	"bytes"
	"strconv"
	"syscall"
	"time"
)

// signalAll sends once to everything in the tree.
func (t *tree) signalAll(signal syscall.Signal) {
	for _, one := range t.members() {
		signalProcess(one, signal)
	}
}

// killAll ends the whole tree and gives the number of processes killed. All are
// stopped first, in passes until none is new, so that none can fork away; then
// killed, until a pass finds none.
func (t *tree) killAll() int {
	if t.isClearlyEmpty() {
		return 0
	}
	return killUntilNone(t.members)
}

func killUntilNone(members func() []process) int {
	killed := map[process]bool{}
	deadline := time.Now().Add(killLimit)
	for pass := 0; time.Now().Before(deadline); pass++ {
		list := members()
		if len(list) == 0 {
			break
		}
		if len(list) > 3 && pass < 50 && stopNew(list) > 0 {
			continue
		}
		killEach(list, killed)
		time.Sleep(time.Duration(min(pass, 20)) * 500 * time.Microsecond)
	}
	return len(killed)
}

// stopNew stops what still runs and says how many those were.
func stopNew(list []process) int {
	count := 0
	for _, one := range list {
		if one.state != 'T' && one.state != 'D' && signalProcess(one, syscall.SIGSTOP) {
			count++
		}
	}
	return count
}

func killEach(list []process, killed map[process]bool) {
	for _, one := range list {
		if signalProcess(one, syscall.SIGKILL) {
			one.state = 0
			one.parent = 0
			killed[one] = true
		}
	}
}

// isClearlyEmpty is the fast path: the leader is gone, and we have no child
// that we did not start, so nothing of the tree can be left.
func (t *tree) isClearlyEmpty() bool {
	t.registry.mutex.Lock()
	leaderLives, inShell := t.ended == 0, t.shell
	t.registry.mutex.Unlock()
	if leaderLives || inShell != nil && inShell.hasChildren() {
		return false
	}
	return !t.registry.reaper.hasOrphans()
}

// hasChildren looks at the leader's own children; true where the kernel does
// not say.
func (t *tree) hasChildren() bool {
	t.registry.mutex.Lock()
	pid, lives := strconv.Itoa(t.leader), t.ended == 0
	t.registry.mutex.Unlock()
	if !lives {
		return false
	}
	text, err := readProc(t.leader, "/task/"+pid+"/children", make([]byte, 64))
	return err != nil || len(text) > 0
}

// hasOrphans looks for children that came to us as subreaper: they are given
// to the first thread. Where the kernel does not say, true.
func (r *reaper) hasOrphans() bool {
	buffer := make([]byte, 8<<10)
	n, err := syscall.Pread(r.childrenFile, buffer, 0)
	if err != nil || n == len(buffer) {
		return true
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	for _, field := range bytes.Fields(buffer[:n]) {
		pid, err := strconv.Atoi(string(field))
		if _, known := r.waiting[pid]; err != nil || !known {
			return true
		}
	}
	return false
}

// killEverything ends all that descends from us.
func (g *treeRegistry) killEverything() {
	killUntilNone(func() []process {
		view := viewProcesses()
		found := []process{}
		for _, root := range view.children[view.own] {
			found = view.collect(root, found)
		}
		return found
	})
}
