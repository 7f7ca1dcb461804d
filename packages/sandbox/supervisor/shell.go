package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"
)

// shell is the process of a session. It reads its commands from a pipe and
// reports on descriptor 3.
type shell struct {
	pid      int
	name     string
	tree     *tree
	input    *os.File
	reports  *bufio.Reader
	report   *os.File
	plumbing [4]fileID
	how      ended
	gone     chan struct{}
}

const interruptSignal = syscall.Signal(34 + 7) // SIGRTMIN+7, which programs leave alone

// interruptTrap makes bash unwind the running command when the signal comes:
// from then on every command inside a function or sourced file is answered by
// "return", until the shell is back at the lines that it reads from its pipe.
const interruptTrap = `trap 'shopt -s extdebug; set -o functrace; trap "[[ \${#BASH_SOURCE[@]} -eq 0 ]] || [ a -eq b ] 2>/dev/null" DEBUG' RTMIN+7` + "\n"

const interruptReset = "trap - DEBUG; set +o functrace; shopt -u extdebug\n"

// startShell starts the shell; a later one takes up directory and exports.
func (n *session) startShell(again bool) (*shell, error) {
	input, theirInput, err := makePipe(false)
	if err != nil {
		return nil, err
	}
	defer syscall.Close(theirInput)
	report, theirReport, err := makePipe(true)
	if err != nil {
		input.Close()
		return nil, err
	}
	defer syscall.Close(theirReport)
	made := &shell{name: n.name, input: input, report: report, reports: bufio.NewReader(report), gone: make(chan struct{})}
	mark := randomHex(8)
	made.tree = n.server.trees.add(mark, true)
	made.tree.session = n
	made.plumbing, err = plumbing(theirInput, int(n.server.null), theirReport)
	if err == nil {
		err = n.launchShell(made, mark, theirInput, theirReport)
	}
	if err != nil {
		n.server.trees.remove(made.tree)
		input.Close()
		report.Close()
		return nil, err
	}
	return made, made.write(n.preamble(again))
}

func (n *session) launchShell(made *shell, mark string, input, report int) error {
	null := n.server.null
	plan := &command{
		path: n.path, argv: []string{n.name}, env: environment(n.message.Env, mark), cwd: nearestFolder(n.cwd), who: n.who,
		files: [3]uintptr{uintptr(input), null, null}, extra: []uintptr{uintptr(report)},
	}
	if n.name == "bash" {
		plan.argv = append(plan.argv, "--noprofile", "--norc")
	}
	var err error
	made.pid, err = n.server.reaper.start(func() (int, error) {
		pid, err := plan.fork()
		made.tree.setLeader(pid)
		return pid, err
	}, func(how ended) {
		made.how = how
		made.tree.leaderEnded()
		close(made.gone)
	})
	return err
}

func (n *session) preamble(again bool) string {
	text := ""
	if again {
		exports := quote(n.file("exports")) // missing after a first command that did not end
		text = fmt.Sprintf("[ ! -r %s ] || . %s 2>/dev/null\n", exports, exports)
	}
	if n.name == "bash" {
		text += interruptTrap
	}
	return text
}

func (p *shell) write(text string) error {
	p.input.SetWriteDeadline(time.Now().Add(5 * time.Second))
	_, err := p.input.WriteString(text)
	return err
}

func (p *shell) isGone() bool {
	select {
	case <-p.gone:
		return true
	default:
		return false
	}
}

// end kills the shell and gives up its pipes.
func (p *shell) end() {
	p.tree.killAll()
	p.tree.registry.remove(p.tree)
	p.input.Close()
	p.report.Close()
}

func quote(text string) string {
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
