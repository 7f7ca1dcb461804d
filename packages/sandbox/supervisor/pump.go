package main

import (
	"errors"
	"os"
	"time"
)

// pump reads the stream until its end, or until nothing came for a while after
// the leader's exit. Then it answers on done, and ended says which it was.
func (s *stream) pump(done chan<- struct{}) {
	discard := []byte(nil)
	for {
		if s.pastWindow() && discard == nil {
			discard = make([]byte, dataChunk)
		}
		n, err := s.file.Read(s.reserve(discard))
		if n > 0 {
			s.commit(n)
		}
		if errors.Is(err, os.ErrDeadlineExceeded) && s.extendDrain() {
			continue
		}
		if err != nil {
			s.ended = !errors.Is(err, os.ErrDeadlineExceeded)
			done <- struct{}{}
			return
		}
	}
}

func (s *stream) pastWindow() bool {
	s.owner.mutex.Lock()
	defer s.owner.mutex.Unlock()
	return s.total >= s.liveEnd || s.owner.isGivenUp()
}

// drainUntil begins the wait after the leader's exit.
func (s *stream) drainUntil(idle time.Duration, end time.Time) {
	e := s.owner
	e.mutex.Lock()
	s.lastData = time.Now()
	e.drainIdle, e.drainEnd = idle, end
	e.mutex.Unlock()
	s.file.SetReadDeadline(earlier(time.Now().Add(idle), end))
}

// extendDrain goes on while data came within the idle time.
func (s *stream) extendDrain() bool {
	e := s.owner
	e.mutex.Lock()
	defer e.mutex.Unlock()
	next := earlier(s.lastData.Add(e.drainIdle), e.drainEnd)
	if !next.After(time.Now()) {
		return false
	}
	s.file.SetReadDeadline(next)
	return true
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// swallow reads on for those that live on, so that their writes do not fail.
func (s *stream) swallow() {
	noDeadline(s.file)
	discard := make([]byte, 8<<10)
	for {
		if _, err := s.file.Read(discard); err != nil {
			s.file.Close()
			return
		}
	}
}

func noDeadline(file *os.File) { file.SetReadDeadline(time.Time{}) }
