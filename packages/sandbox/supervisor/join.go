package main

import (
	"encoding/json"
	"os"
	"path/filepath"
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
	e.releaseClientLocked()
	e.client, e.id, e.credit, e.reported = c, id, c.credit, false
	started := e.pid != 0
	e.mutex.Unlock()
	if started {
		e.announce(true)
	}
	e.mutex.Lock()
	defer e.mutex.Unlock()
	for _, one := range e.streams {
		one.resumeLocked(from)
	}
	e.reportLocked()
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

func (e *execution) recordPath() string {
	return filepath.Join(e.server.stateDir, "exit-"+e.mark+".json")
}

type exitRecord struct {
	Key  string       `json:"key"`
	Exit *exitMessage `json:"exit"`
}

// writeRecord keeps the exit as a file, unless it was acknowledged meanwhile.
func (e *execution) writeRecord() {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if e.forgotten || e.recorded {
		return
	}
	text, err := json.Marshal(exitRecord{e.message.Key, e.exit})
	if err != nil {
		return
	}
	partial := e.recordPath() + ".part"
	if os.WriteFile(partial, text, 0o600) == nil && os.Rename(partial, e.recordPath()) == nil {
		e.recorded = true
	}
}
