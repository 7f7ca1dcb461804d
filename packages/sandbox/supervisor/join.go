package main

import (
	"os"
	"slices"
)

// join binds a known execution to the client that asks for it again: it gets
// the output from its offsets on, and the exit.
func (e *execution) join(c *channel, id uint32, from resumeOffset) {
	if !c.claim(id, e) {
		c.fail(id, "PROTOCOL", "the id is in use")
		return
	}
	e.mutex.Lock()
	defer e.mutex.Unlock()
	e.dismissClientLocked()
	e.client, e.id, e.credit, e.reported = c, id, c.credit, false
	e.unannounced = e.pid != 0
	if made := e.takeStartedLocked(true); made != nil {
		c.send(made)
	}
	for _, one := range e.streams {
		one.resumeLocked(from)
	}
	e.reportLocked()
}

// dismissClientLocked tells a client that still waits that another one takes
// its place.
func (e *execution) dismissClientLocked() {
	if e.client != nil && !e.reported {
		e.client.fail(e.id, "TAKEN_OVER", "another client asked for this command by its key, and gets its output from now on")
	}
	e.releaseClientLocked()
}

func (e *execution) releaseClientLocked() {
	if e.client != nil {
		e.client.release(e.id)
	}
}

func (s *stream) resumeLocked(from resumeOffset) {
	s.sent = from.Stdout
	if s.kind == typeStderr {
		s.sent = from.Stderr
	}
	s.sent = max(0, min(s.sent, s.total))
	s.offered = false
	s.offerLocked()
}

// channelLost keeps the execution for a later channel.
func (e *execution) channelLost(c *channel) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if e.client == c {
		e.client, e.reported = nil, false
	}
}

const keptResults = 1000

// trimFinished forgets the oldest results for which nobody came back.
func (s *server) trimFinished() {
	s.mutex.Lock()
	crowded := len(s.execs) > keptResults
	s.mutex.Unlock()
	if !crowded {
		return
	}
	waiting := []*execution{}
	for _, one := range s.allExecs() {
		if one.waitsForClient() {
			waiting = append(waiting, one)
		}
	}
	slices.SortFunc(waiting, func(a, b *execution) int { return a.received.Compare(b.received) })
	for _, one := range waiting[:max(0, len(waiting)-keptResults)] {
		one.forget()
	}
}

func (e *execution) waitsForClient() bool {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	return e.exit != nil && e.client == nil
}

// acknowledge forgets the execution.
func (e *execution) acknowledge() {
	e.mutex.Lock()
	over := e.exit != nil
	e.mutex.Unlock()
	if over {
		e.forget()
	}
}

func (e *execution) forget() {
	s := e.server
	s.mutex.Lock()
	if s.execs[e.message.Key] == e {
		delete(s.execs, e.message.Key)
	}
	s.mutex.Unlock()
	e.mutex.Lock()
	defer e.mutex.Unlock()
	e.forgotten = true
	e.releaseClientLocked()
	if e.recorded {
		os.Remove(e.recordPath())
	}
}
