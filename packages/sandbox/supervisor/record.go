package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"time"
)

const recordAfter = 100 * time.Millisecond

// recordLater sees to it that an exit whose acknowledgement takes its time is
// kept as a file. Most need none, so one timer serves all.
func (s *server) recordLater() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if !s.recording {
		s.recording = true
		time.AfterFunc(recordAfter, s.writeRecords)
	}
}

func (s *server) writeRecords() {
	s.mutex.Lock()
	s.recording = false
	s.mutex.Unlock()
	for _, one := range s.allExecs() {
		if !one.writeRecord() {
			s.recordLater()
		}
	}
}

func (e *execution) recordPath() string {
	return filepath.Join(e.server.stateDir, "exit-"+e.mark+".json")
}

type exitRecord struct {
	Key  string       `json:"key"`
	Exit *exitMessage `json:"exit"`
}

// writeRecord keeps the exit as a file; false: it is too fresh for that.
func (e *execution) writeRecord() bool {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if e.exit == nil || e.forgotten || e.recorded {
		return true
	}
	if time.Since(e.endedAt) < recordAfter {
		return false
	}
	text, err := json.Marshal(exitRecord{e.message.Key, e.exit})
	if err != nil {
		return true
	}
	partial := e.recordPath() + ".part"
	if os.WriteFile(partial, text, 0o600) == nil && os.Rename(partial, e.recordPath()) == nil {
		e.recorded = true
	}
	return true
}
