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
	session  *session
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
	if t.shell != nil && t.shell.ended == 0 {
		found = t.shellChildren(view, found)
	}
	for _, root := range view.children[view.own] {
		if t.ownsRoot(root) {
			found = view.collect(root, found)
		}
	}
	return found
}

// inShell makes this the tree of a command that a session's shell runs.
func (t *tree) inShell(of *tree) {
	t.registry.mutex.Lock()
	t.shell, t.session = of, of.session
	t.registry.mutex.Unlock()
}

// isShell: the mark of a session's shell is borne by every copy of it too.
func (t *tree) isShell() bool { return t.session != nil && t.shell == nil }

// ofSession gives the trees of a session: its shells and their commands.
func (g *treeRegistry) ofSession(of *session) []*tree {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	list := []*tree{}
	for _, one := range g.trees {
		if one.session == of {
			list = append(list, one)
		}
	}
	return list
}

// shellChildren adds what the shell started for this command: by mark, or, for
// a copy of the shell itself that bears the shell's mark, by its start.
func (t *tree) shellChildren(view processView, found []process) []process {
	for _, child := range view.children[t.shell.leader] {
		mark := markOf(child.pid)
		if mark == t.mark || !t.registry.isKnownCommand(mark) && t.covers(child) && t.ended == 0 {
			found = view.collect(child, found)
		}
	}
	return found
}

func (g *treeRegistry) isKnownCommand(mark string) bool {
	for _, one := range g.trees {
		if one.mark == mark && !one.isShell() {
			return true
		}
	}
	return false
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
	return false
}

func (g *treeRegistry) ownerOf(root process) *tree {
	mark := markOf(root.pid)
	for _, one := range g.trees {
		if mark != "" && one.mark == mark && !one.isShell() {
			return one
		}
	}
	for at := len(g.trees) - 1; at >= 0; at-- { // a session's command before its shell
		if one := g.trees[at]; one.covers(root) && one.leads(root) {
			return one
		}
	}
	return nil
}

// leads: the process is in the session or group that this tree's leader made.
func (t *tree) leads(one process) bool {
	leader := t.leader
	if t.shell != nil {
		leader = t.shell.leader
	}
	return leader != 0 && (one.session == leader || one.group == leader)
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
