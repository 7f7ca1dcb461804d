package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// serve joins the living supervisor of the folder, or becomes it. With await it
// is ready long before anybody speaks to it, and its time begins only then.
func serve(stateDir string, limits serveLimits, await bool) error {
	keepDescriptors()
	if err := shieldSelf(); err != nil {
		return err
	}
	stateDir, err := prepareState(stateDir)
	if err != nil {
		return err
	}
	path := filepath.Join(stateDir, "sock")
	listener, connection, err := joinOrListen(stateDir, path)
	if err != nil {
		return err
	}
	if connection >= 0 {
		return lendChannel(connection)
	}
	input, err := openInput(0)
	if err != nil {
		return err
	}
	s, err := newServer(stateDir)
	if err != nil {
		return err
	}
	reserveThreads()
	handleSignals(func() { s.shutdown(2000) })
	if err := silenceSignal(); err != nil {
		return err
	}
	if await {
		if limits, err = awaitLimits(input); err != nil {
			return err
		}
	}
	s.orphanMs = limits.OrphanMs
	if limits.LifetimeMs > 0 {
		time.AfterFunc(time.Duration(limits.LifetimeMs)*time.Millisecond, func() { s.shutdown(2000) })
	}
	go s.accept(listener)
	s.serveFirst(input)
	select {}
}

// prepareState makes the folder. Root's may be passed through, not listed, by
// other users of the sandbox: their scripts lie in it.
func prepareState(stateDir string) (string, error) {
	stateDir, err := filepath.Abs(stateDir)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(stateDir, 0o700); err != nil {
		return "", err
	}
	info, err := os.Lstat(stateDir)
	if err != nil {
		return "", err
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok || !info.IsDir() || int(stat.Uid) != os.Getuid() {
		return "", fmt.Errorf("%s is not a folder of this user", stateDir)
	}
	mode := os.FileMode(0o700)
	if os.Getuid() == 0 {
		mode = 0o711
	}
	return stateDir, os.Chmod(stateDir, mode)
}

// joinOrListen gives a connection to the living supervisor, or -1 and a
// listening socket. A lock keeps two that start at once apart.
func joinOrListen(stateDir, path string) (listener, connection int, err error) {
	if len(path) > 100 {
		return -1, -1, fmt.Errorf("%s is too long for a socket's path (100 bytes)", path)
	}
	lock, err := os.OpenFile(filepath.Join(stateDir, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return -1, -1, err
	}
	defer lock.Close()
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		return -1, -1, err
	}
	if connection, err = dial(path); err == nil {
		return -1, connection, nil
	}
	removeRemains(stateDir)
	listener, err = listen(path)
	return listener, -1, err
}

// removeRemains clears what a supervisor that was killed left behind.
func removeRemains(stateDir string) {
	entries, err := os.ReadDir(stateDir)
	if err != nil {
		return
	}
	for _, entry := range entries {
		name := entry.Name()
		if name == "sock" || strings.HasPrefix(name, "script-") || strings.HasPrefix(name, "session-") || strings.HasPrefix(name, "exit-") {
			os.RemoveAll(filepath.Join(stateDir, name))
		}
	}
}

// removeState clears the folder when the supervisor ends.
func (s *server) removeState() {
	removeRemains(s.stateDir)
	os.Remove(filepath.Join(s.stateDir, "lock"))
	os.Remove(s.stateDir) // only when nothing of others is in it
}

// serveFirst serves the channel on our own input and output, and then gives
// these up, so that the other side sees their end.
func (s *server) serveFirst(input *os.File) {
	c := newChannel(s, 0, 1)
	c.input = input
	c.onWriterEnd = func() { syscall.Dup3(int(s.null), 1, 0) }
	s.serveChannel(c)
	syscall.Dup3(int(s.null), 0, 0)
	input.Close()
}
