package main

import (
	"encoding/binary"
	"os"
	"sync"
	"time"
)

const (
	liveWindow = 1 << 20 // of a stream's live part, at least kept for a client that comes back
	maxWindow  = 16 << 20
	tailLimit  = 256 << 20 // of the end of a stream
	longStream = 8 << 20   // from such a limit on its pipe is made larger
)

// stream is one output of an execution: read without pause, sent with credit.
// Positions below liveEnd are sent as they come; of the rest the last tailSize
// bytes are kept and sent at the end.
type stream struct {
	kind     byte
	owner    *execution
	file     *os.File
	liveEnd  int64
	tailSize int64
	live     *ring
	tail     *ring

	total      int64
	sent       int64 // position up to which the client has been sent
	ended      bool  // the pipe was closed at its other end; the pump's own
	finished   bool  // no more will be read
	offered    bool  // in the channel's list
	lastData   time.Time
	hushed     bool // the end is held back
	hushedFrom int64
	room       *sync.Cond // on the owner's mutex
}

func newStream(kind byte, owner *execution, file *os.File, maxBytes int64, keep string) *stream {
	s := &stream{kind: kind, owner: owner, file: file}
	switch keep {
	case "head":
		s.liveEnd = maxBytes
	case "tail":
		s.tailSize = min(maxBytes, tailLimit)
	default:
		s.liveEnd = maxBytes / 2
		s.tailSize = min(maxBytes-s.liveEnd, tailLimit)
	}
	s.live = newRing(min(s.liveEnd, max(liveWindow, min(owner.credit, maxWindow))+2*dataChunk), 0)
	s.tail = newRing(s.tailSize+dataChunk, s.liveEnd)
	s.room = sync.NewCond(&owner.mutex)
	return s
}

// reserve gives the place for the next read. It waits while the live window
// holds nothing but unsent bytes: this is how credit holds a program back.
func (s *stream) reserve(discard []byte) []byte {
	s.owner.mutex.Lock()
	defer s.owner.mutex.Unlock()
	for s.total < s.liveEnd {
		size := min(int64(dataChunk), s.liveEnd-s.total)
		if space := s.live.space(int(size), s.sent); space != nil {
			return space
		}
		if s.owner.isGivenUp() {
			return discard
		}
		s.room.Wait()
	}
	if s.tailSize == 0 {
		return discard
	}
	return s.tail.space(dataChunk, s.tail.end)
}

// commit counts what was read into the reserved place.
func (s *stream) commit(count int) {
	e := s.owner
	e.mutex.Lock()
	if s.total < s.liveEnd {
		s.live.advance(count)
	} else if s.tailSize > 0 {
		s.tail.advance(count)
	}
	s.total += int64(count)
	s.lastData = time.Now()
	over := s.total > e.message.MaxBytes
	s.offerLocked()
	e.mutex.Unlock()
	if over {
		e.overLimit()
	}
}

// offerLocked announces what may be sent now.
func (s *stream) offerLocked() {
	if s.offered || s.owner.client == nil || s.owner.credit <= 0 || !s.hasUnsent() {
		return
	}
	s.offered = true
	s.owner.client.offer(s)
}

func (s *stream) hasUnsent() bool {
	return s.sent < s.sendable() || s.finished && s.tailSize > 0 && s.sent < s.total
}

// fill is called by the channel's writer: one frame of what is next.
func (s *stream) fill(batch []byte) ([]byte, bool) {
	e := s.owner
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if e.client == nil || e.credit <= 0 || !s.hasUnsent() {
		s.offered = false
		return batch, false
	}
	piece := s.next()
	piece = piece[:min(int64(len(piece)), dataChunk, e.credit)]
	batch = append(batch, e.takeStartedLocked(false)...)
	batch = appendHeader(batch, s.kind, e.id, 8+len(piece))
	batch = binary.BigEndian.AppendUint64(batch, uint64(s.sent))
	batch = append(batch, piece...)
	s.sent += int64(len(piece))
	e.credit -= int64(len(piece))
	s.room.Signal()
	more := e.credit > 0 && s.hasUnsent()
	s.offered = more
	if !more {
		e.reportLocked()
	}
	return batch, more
}

// next skips what is no longer kept and gives the following bytes.
func (s *stream) next() []byte {
	if end := s.sendable(); s.sent < end {
		s.sent = max(s.sent, s.live.start)
		return s.live.piece(s.sent, end)
	}
	s.sent = max(s.sent, s.tailStart())
	return s.tail.piece(s.sent, s.total)
}

func (s *stream) tailStart() int64 {
	return max(s.liveEnd, s.total-s.tailSize)
}

func (s *stream) count() streamCount {
	dropped := max(0, s.total-s.liveEnd-s.tailSize)
	return streamCount{s.total, dropped}
}

// isDone is true when nothing is left to read or to send.
func (s *stream) isDone() bool {
	return s.finished && !s.hasUnsent()
}
