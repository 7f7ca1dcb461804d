package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// spawn starts the leader with its pipes.
func (e *execution) spawn() error {
	who, err := findAccount(e.message.User, e.server.uid)
	if err != nil {
		return err
	}
	if err := checkCwd(e.message.Cwd); err != nil {
		return err
	}
	plan := &command{cwd: e.message.Cwd, who: who, env: environment(e.message.Env, e.mark), tty: e.message.TTY != nil}
	if err := e.chooseProgram(plan); err != nil {
		return err
	}
	closeAfter, err := e.connect(plan)
	defer closeAll(closeAfter)
	if err != nil {
		e.dropPipes()
		return err
	}
	return e.launch(plan)
}

func (e *execution) chooseProgram(plan *command) error {
	if e.message.Script != nil {
		return e.chooseShell(plan)
	}
	path, err := findProgram(e.message.Argv[0], plan.cwd, e.message.Env)
	if err != nil {
		return fmt.Errorf("%s: %w", e.message.Argv[0], explain(err))
	}
	plan.path, plan.argv = path, e.message.Argv
	return nil
}

func explain(err error) error {
	if err == syscall.ENOENT {
		return errors.New("command not found")
	}
	return err
}

// chooseShell runs the script from a file: argv is readable by all and has a
// limit, and a descriptor would stay open in what the script starts.
func (e *execution) chooseShell(plan *command) error {
	shell, name := findShell(e.message.Shell, e.message.Env)
	if e.message.Shell == "bash" && name != "bash" {
		return errors.New("bash: command not found")
	}
	path := filepath.Join(e.server.stateDir, "script-"+e.mark)
	if err := writePrivate(path, *e.message.Script, plan.who); err != nil {
		return fmt.Errorf("the script could not be stored: %w", err)
	}
	e.cleanUp = append(e.cleanUp, func() { os.Remove(path) })
	plan.path, plan.argv = shell, shellWords(name, path, *e.message.Script)
	return nil
}

func shellWords(name, path, script string) []string {
	if name != "bash" || !canEvaluate(script) {
		return []string{name, path}
	}
	return []string{name, "-c", evaluate(path), name}
}

func writePrivate(path, text string, who *account) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer file.Close()
	if who != nil {
		if err := file.Chown(int(who.uid), int(who.gid)); err != nil {
			return err
		}
	}
	_, err = file.WriteString(text)
	return err
}

// connect makes the streams; the descriptors are the child's ends, to close
// after the fork.
func (e *execution) connect(plan *command) ([]int, error) {
	if plan.tty {
		return e.connectTerminal(plan)
	}
	ends := []int{}
	null := e.server.null
	plan.files = [3]uintptr{null, null, null}
	if e.stdin != nil {
		ours, theirs, err := makePipe(false)
		if err != nil {
			return ends, err
		}
		ends = append(ends, theirs)
		plan.files[0] = uintptr(theirs)
		e.stdin.file = ours
	}
	for at := 1; at <= 2 && !(at == 2 && e.message.Merge); at++ {
		ours, theirs, err := makePipe(true)
		if err != nil {
			return ends, err
		}
		ends = append(ends, theirs)
		if e.message.MaxBytes >= longStream {
			enlargePipe(theirs)
		}
		plan.files[at] = uintptr(theirs)
		e.addStream(byte(typeStdout+at-1), ours)
	}
	if e.message.Merge {
		plan.files[2] = plan.files[1]
	}
	return ends, nil
}

func (e *execution) addStream(kind byte, file *os.File) {
	made := newStream(kind, e, file, e.message.MaxBytes, e.message.Keep)
	e.mutex.Lock()
	e.streams = append(e.streams, made)
	e.mutex.Unlock()
}

// launch forks, and records the leader before it can have ended.
func (e *execution) launch(plan *command) error {
	e.tree = e.server.trees.add(e.mark, e.message.Background == "adopt")
	onEnd := func(how ended) {
		e.how = how
		e.tree.leaderEnded()
		close(e.gone)
	}
	pid, err := e.server.reaper.start(func() (int, error) {
		pid, err := plan.fork()
		e.tree.setLeader(pid)
		return pid, err
	}, onEnd)
	if err != nil {
		e.server.trees.remove(e.tree)
		e.dropPipes()
		return fmt.Errorf("%s: %w", plan.argv[0], explain(err))
	}
	e.mutex.Lock()
	e.pid, e.startedAt = pid, time.Now()
	e.mutex.Unlock()
	if e.stdin != nil {
		go e.stdin.run()
	}
	return nil
}

func (e *execution) dropPipes() {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	for _, one := range e.streams {
		one.file.Close()
	}
	e.streams = nil
	if e.stdin != nil {
		e.stdin.close()
	}
}
