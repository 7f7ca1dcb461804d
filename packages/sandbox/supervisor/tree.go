package main

import (
	"os"
	"sync"
	"syscall"
	"time"
)

const killLimit = 10 * time.Second

// tree is what one command started: all that descends from its leader, and all
// that our children show to be its own by session, group or mark.
type tree struct {
	registry *treeRegistry
	mark     string
	adopts   bool
	begun    uint64 // ticks since boot, one less than at the start
	ended    uint64 // 0 while the leader lives
	leader   int
	shell    *tree // of a command in a session: the shell's tree
}

// treeRegistry knows all living trees: an orphan belongs to one of them.
type treeRegistry struct {
	mutex  sync.Mutex
	reaper *reaper
	trees  []*tree
}

func (g *treeRegistry) add(mark string, adopts bool) *tree {
	made := &tree{registry: g, mark: mark, adopts: adopts, begun: ticksSinceBoot() - 1}
	g.mutex.Lock()
	g.trees = append(g.trees, made)
	g.mutex.Unlock()
	return made
}

func (g *treeRegistry) remove(gone *tree) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	for at, one := range g.trees {
		if one == gone {
			g.trees = append(g.trees[:at], g.trees[at+1:]...)
			return
		}
	}
}

func (t *tree) setLeader(pid int) {
	t.registry.mutex.Lock()
	t.leader = pid
	t.registry.mutex.Unlock()
}

// leaderEnded notes when: later orphans cannot be this tree's.
func (t *tree) leaderEnded() {
	t.registry.mutex.Lock()
	t.ended = ticksSinceBoot() + 1
	t.registry.mutex.Unlock()
}

func ticksSinceBoot() uint64 {
	var now syscall.Timespec
	const clockBoottime = 7
	clockGettime(clockBoottime, &now)
	return uint64(now.Sec)*100 + uint64(now.Nsec)/10_000_000
}

// members lists the living processes of the tree.
func (t *tree) members() []process {
	t.registry.mutex.Lock()
	defer t.registry.mutex.Unlock()
	view := viewProcesses()
	found := []process{}
	for _, root := range view.children[view.own] {
		if t.ownsRoot(root) {
			found = view.collect(root, found)
		}
	}
	return found
}

// ownsRoot decides about a child of ours: a leader is its own tree's, and an
// orphan goes by session, group, mark, or else to whom it can only belong.
func (t *tree) ownsRoot(root process) bool {
	if t.leader == root.pid && t.ended == 0 {
		return true
	}
	if t.registry.isLeader(root.pid) {
		return false
	}
	if owner := t.registry.ownerOf(root); owner != nil {
		return owner == t
	}
	return t.registry.onlyCandidate(root, t)
}

func (g *treeRegistry) isLeader(pid int) bool {
	for _, one := range g.trees {
		if one.leader == pid && one.ended == 0 {
			return true
		}
	}
	return g.reaper.owns(pid)
}

func (g *treeRegistry) ownerOf(root process) *tree {
	mark := markOf(root.pid)
	for _, one := range g.trees {
		if mark != "" && one.mark == mark {
			return one
		}
	}
	for _, one := range g.trees {
		if one.shell == nil && one.covers(root) && (root.session == one.leader || root.group == one.leader) {
			return one
		}
	}
	return nil
}

// covers: the process began while this tree's leader was there.
func (t *tree) covers(root process) bool {
	return root.start >= t.begun
}

// onlyCandidate gives an orphan without any trace to the tree that is ending,
// when no other command, running or adopting, can have started it.
func (g *treeRegistry) onlyCandidate(root process, asking *tree) bool {
	for _, one := range g.trees {
		possible := root.start >= one.begun && (one.ended == 0 || root.start <= one.ended)
		if one != asking && possible {
			return false
		}
	}
	return root.start >= asking.begun && (asking.ended == 0 || root.start <= asking.ended)
}

// processView is /proc by parent.
type processView struct {
	own      int
	children map[int][]process
}

func viewProcesses() processView {
	view := processView{own: os.Getpid(), children: map[int][]process{}}
	for _, one := range listProcesses() {
		view.children[one.parent] = append(view.children[one.parent], one)
	}
	return view
}

// collect adds a process and its descendants; the dead are left out.
func (v processView) collect(root process, to []process) []process {
	if !root.isDead() {
		to = append(to, root)
	}
	for _, child := range v.children[root.pid] {
		to = v.collect(child, to)
	}
	return to
}
