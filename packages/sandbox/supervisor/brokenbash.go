package main

import (
	"os"
	"strings"
	"syscall"
	"time"
)

const syntaxCheckLimit = 2 * time.Second

// mayHaveBrokenBash: bash 5.2 damages its own memory when the text ends inside
// "$(", and aborts at its end or during a later command. Such a command has
// status 2; whether its syntax was the reason, another bash says.
func (e *execution) mayHaveBrokenBash() bool {
	n := e.session
	text, err := os.ReadFile(n.file("command"))
	if n.name != "bash" || err != nil || !strings.Contains(string(text), "$(") {
		return false
	}
	return n.syntaxIsBroken()
}

func (n *session) syntaxIsBroken() bool {
	null := n.server.null
	plan := &command{
		path: n.path, argv: []string{"bash", "-n", n.file("command")}, env: environment(n.message.Env, randomHex(8)), cwd: "/", who: n.who,
		files: [3]uintptr{null, null, null},
	}
	answer := make(chan ended, 1)
	pid, err := n.server.reaper.start(plan.fork, func(how ended) { answer <- how })
	if err != nil {
		return false
	}
	select {
	case how := <-answer:
		return how.status.ExitStatus() != 0
	case <-time.After(syntaxCheckLimit):
		n.server.reaper.signalOwn(pid, syscall.SIGKILL)
		return true
	}
}

// replaceLater ends the shell alone: the next command gets a new one.
func (p *shell) replaceLater(r *reaper) {
	r.signalOwn(p.pid, syscall.SIGKILL)
	<-p.gone
}

func crashed(how ended) bool {
	signal := how.status.Signal()
	return signal == syscall.SIGABRT || signal == syscall.SIGSEGV || signal == syscall.SIGBUS
}
