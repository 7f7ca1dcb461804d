package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
)

// session is a shell that lives between commands. Its folder holds the current
// command, and after each one the directory and the exported variables.
type session struct {
	server  *server
	id      uint32
	message sessionOpenMessage
	who     *account
	folder  string
	path    string // of the shell
	name    string // bash or sh

	mutex  sync.Mutex
	shell  *shell
	cwd    string // after the last command
	fifos  fifoPair
	busy   bool
	closed bool
}

func (c *channel) openSession(f frame) {
	made := &session{server: c.server, id: f.id}
	if c.parse(f, &made.message) {
		go made.open(c)
	}
}

func (n *session) open(c *channel) {
	err := n.prepare()
	if err != nil {
		c.refuseUser(n.id, err)
		return
	}
	if !c.server.addSession(n) {
		n.close()
		c.fail(n.id, "PROTOCOL", "the id is in use")
		return
	}
	c.claim(n.id, n)
	c.send(jsonFrame(typeSessionReady, n.id, sessionReadyMessage{n.shell.pid, n.name}))
}

func (n *session) prepare() (err error) {
	if n.who, err = findAccount(n.message.User, n.server.uid); err != nil {
		return err
	}
	if err = checkCwd(n.message.Cwd); err != nil {
		return err
	}
	n.cwd = n.message.Cwd
	n.path, n.name = findShell(n.message.Shell, n.message.Env)
	if n.message.Shell == "bash" && n.name != "bash" {
		return errors.New("bash: command not found")
	}
	n.folder = filepath.Join(n.server.stateDir, fmt.Sprintf("session-%d-%s", n.id, randomHex(4)))
	if err = os.Mkdir(n.folder, 0o700); err != nil {
		return err
	}
	if n.who != nil {
		err = os.Chown(n.folder, int(n.who.uid), int(n.who.gid))
	}
	if err == nil {
		n.shell, err = n.startShell(false)
	}
	if err != nil {
		os.RemoveAll(n.folder)
	}
	return err
}

func (s *server) addSession(n *session) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.sessions[n.id] != nil || s.ending {
		return false
	}
	s.sessions[n.id] = n
	return true
}

func (s *server) session(id uint32) *session {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.sessions[id]
}

func (n *session) receive(from *channel, f frame) {
	if f.kind == typeSessionClose {
		from.release(n.id)
		go n.close()
	}
}

// close ends the shell and everything that was started in it.
func (n *session) close() {
	s := n.server
	s.mutex.Lock()
	if s.sessions[n.id] == n {
		delete(s.sessions, n.id)
	}
	s.mutex.Unlock()
	n.mutex.Lock()
	defer n.mutex.Unlock()
	if n.closed {
		return
	}
	n.closed = true
	n.shell.end()
	for _, one := range s.trees.ofSession(n) {
		one.killAll()
		s.trees.remove(one)
	}
	n.fifos.close()
	os.RemoveAll(n.folder)
}

func (s *server) endSessions() {
	s.mutex.Lock()
	open := []*session{}
	for _, one := range s.sessions {
		open = append(open, one)
	}
	s.mutex.Unlock()
	for _, one := range open {
		one.close()
	}
}
