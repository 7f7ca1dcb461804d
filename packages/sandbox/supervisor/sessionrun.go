package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const shellEndsAfter = 500 * time.Millisecond

// runInSession is the life of a command in a session's shell.
func (e *execution) runInSession() {
	n := e.server.session(e.message.Session)
	if n == nil {
		e.finish(exitMessage{Status: "not_started", Message: "the session is closed"})
		return
	}
	if e.message.Stdin == "open" || e.message.TTY != nil {
		e.refuse("UNSUPPORTED", "a command in a session has no stdin and no terminal")
		return
	}
	if !n.take() {
		e.refuse("SESSION_BUSY", "a command still runs in this session")
		return
	}
	e.session = n
	done, err := e.beginInShell()
	if err != nil {
		n.free()
		e.notStarted(err)
		return
	}
	e.armTimeout()
	e.endIfAlreadyAsked()
	e.concludeInShell(done)
}

func (n *session) take() bool {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	if n.busy || n.closed {
		return false
	}
	n.busy = true
	return true
}

func (n *session) free() {
	n.mutex.Lock()
	n.busy = false
	n.mutex.Unlock()
}

// freshShell is the living shell, or a new one in place of one that ended.
func (n *session) freshShell() (*shell, error) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	if n.closed {
		return nil, errors.New("the session is closed")
	}
	if !n.shell.isGone() && n.shell.isDamaged() {
		n.shell.replaceLater(n.server.reaper)
	}
	if !n.shell.isGone() {
		return n.shell, nil
	}
	old := n.shell
	made, err := n.startShell(true)
	if err != nil {
		return nil, err
	}
	old.input.Close()
	old.report.Close()
	n.shell = made
	return made, nil
}

// beginInShell writes the command's files and tells the shell.
func (e *execution) beginInShell() (chan struct{}, error) {
	p, err := e.session.freshShell()
	if err != nil {
		return nil, err
	}
	e.nonce = randomHex(16)
	if err = e.connectShell(); err == nil {
		err = e.storeCommand()
	}
	if err != nil {
		return nil, err
	}
	e.tree = e.server.trees.add(e.mark, e.message.Background == "adopt")
	e.tree.inShell(p.tree)
	e.mutex.Lock()
	e.shell, e.pid, e.startedAt = p, p.pid, time.Now()
	e.mutex.Unlock()
	e.announceSoon()
	done := e.startPumps()
	if err := p.write(". " + quote(e.session.file("run")) + "\n"); err != nil {
		p.end() // it takes no more commands: seen as its death
	}
	return done, nil
}

func (n *session) file(name string) string { return filepath.Join(n.folder, name) }

// storeCommand writes the command, and the lines that run it and report.
func (e *execution) storeCommand() error {
	n := e.session
	script := ""
	if e.message.Script != nil {
		script = *e.message.Script
	} else {
		words := []string{}
		for _, word := range e.message.Argv {
			words = append(words, quote(word))
		}
		script = strings.Join(words, " ")
	}
	for name, text := range map[string]string{"command": script, n.shortName(): n.shortText(), "run": e.runLines(canEvaluate(script))} {
		os.Remove(n.file(name)) // another's file would keep its owner and mode
		if err := writePrivate(n.file(name), text, n.who); err != nil {
			return fmt.Errorf("the command could not be stored: %w", err)
		}
	}
	return nil
}

func (e *execution) runLines(canEvaluate bool) string {
	n := e.session
	head, assignments := "export HERMES_EXEC="+e.mark+"\n", ""
	if e.message.Cwd != "" {
		head += fmt.Sprintf("command cd -- %s 2>/dev/null || { command printf '%%s cd\\n' %s >&3; return; }\n", quote(e.message.Cwd), e.nonce)
	}
	for name, value := range e.message.Env {
		assignments += name + "=" + quote(value) + " "
	}
	errors := quote(n.file("err"))
	if e.message.Merge {
		errors = "&1"
	}
	where := fmt.Sprintf("</dev/null >%s 2>%s 3>&-\n", quote(n.file("out")), errors)
	return head + n.sourceLines(assignments, where, canEvaluate) + e.reportLines()
}

// reportLines save directory and exports between the two halves of the report.
// A shell that cannot report any more ends with the status, and saves them as
// long as it can open files. Closed first, 2 can be opened at any limit.
func (e *execution) reportLines() string {
	n := e.session
	save := n.saveLines()
	return strings.Join([]string{
		`HERMES_STATUS="${HERMES_STATUS:-$?}"`,
		"command exec 2>&-", "command exec 2>/dev/null",
		"if command printf '%s %s' " + e.nonce + ` "$HERMES_STATUS" >&3`,
		"then " + n.forgetLine(), save, `command printf '\n' >&3`,
		"else if command true </dev/null", "then " + save, "fi", `exit "$HERMES_STATUS"`, "fi\n",
	}, "\n")
}

func (n *session) saveLines() string {
	return fmt.Sprintf("%scommand pwd >|%s 2>/dev/null\ncommand export -p >|%s 2>/dev/null", n.restoreLine(), quote(n.file("cwd")), quote(n.file("exports")))
}

// concludeInShell waits for the report, or for the shell's end.
func (e *execution) concludeInShell(done chan struct{}) {
	status, reported := e.awaitReport()
	at := time.Now()
	if !reported {
		e.shell.awaitEnd()
		if crashed(e.shell.how) && e.mayHaveBrokenBash() {
			status, reported = "2", true
		}
	} else if e.shell.isDamaged() || status == "2" && e.mayHaveBrokenBash() {
		e.shell.replaceLater(e.server.reaper)
	}
	e.tree.leaderEnded()
	close(e.gone)
	e.session.fifos.closeWriters()
	e.session.forgetCommand()
	e.conclude(at, done, func() exitMessage { return e.describeInShell(status, reported) })
}

// forgetCommand removes what was stored for the shell, which has read it: the
// command's variables may be secrets.
func (n *session) forgetCommand() {
	os.Remove(n.file("run"))
	os.Remove(n.file("command"))
}

// awaitReport reads descriptor 3. A line without the nonce is not ours.
func (e *execution) awaitReport() (string, bool) {
	for {
		line, err := e.shell.reports.ReadString('\n')
		if err != nil {
			return "", false
		}
		if status, ours := strings.CutPrefix(strings.TrimSuffix(line, "\n"), e.nonce+" "); ours {
			return status, true
		}
	}
}

func (e *execution) describeInShell(status string, reported bool) exitMessage {
	n := e.session
	if reported && status == "cd" {
		return exitMessage{Status: "not_started", Message: "working directory " + e.message.Cwd + ": it cannot be entered", CwdAfter: n.lastFolder()}
	}
	how := ended{}
	if !reported {
		how = e.shell.how
	} else if code, err := strconv.Atoi(status); err == nil {
		how.status = syscall.WaitStatus(code << 8) // as if the command had been a process
	}
	message := e.describe(how, true)
	message.Usage, message.CwdAfter = nil, n.lastFolder()
	return message
}

// lastFolder reads the directory that the shell reported last.
func (n *session) lastFolder() *string {
	text, err := os.ReadFile(n.file("cwd"))
	n.mutex.Lock()
	defer n.mutex.Unlock()
	if err == nil && len(text) > 1 {
		n.cwd = strings.TrimSuffix(string(text), "\n")
	}
	cwd := n.cwd
	return &cwd
}

// interrupt makes a bash abandon the command; a shell that cannot is ended.
func (p *shell) interrupt(report string) {
	if p.name != "bash" {
		p.tree.killAll()
		return
	}
	registry := p.tree.registry
	registry.reaper.signalOwn(p.pid, interruptSignal)
	p.write(interruptReset + report)
}
