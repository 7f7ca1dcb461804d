package main

import "regexp"

// A bash says on its stderr when a child was ended by a signal, also when that
// was our doing. Nobody else asked for that line, so once a command is being
// stopped the end of the stream is held back until it can be taken away.
const heldBack = 4 << 10

var endOfChild = regexp.MustCompile(`(?:^|\n)((?:[^\n]*: line \d+: +\d+ )?(?:Terminated|Killed)(?: [^\n]*)?\n)$`)

// hush begins to hold back.
func (e *execution) hush() {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if len(e.streams) == 0 || e.shell.name != "bash" {
		return
	}
	s := e.streams[len(e.streams)-1]
	s.hushed, s.hushedFrom = true, s.total
}

// sendable is the position up to which live bytes may be sent.
func (s *stream) sendable() int64 {
	end := min(s.total, s.liveEnd)
	if s.hushed && !s.finished {
		end = max(s.hushedFrom, end-heldBack)
	}
	return min(end, s.total, s.liveEnd)
}

// dropNoticeLocked takes away what bash said last about a child that we ended.
func (s *stream) dropNoticeLocked() {
	if !s.hushed {
		return
	}
	from := max(s.hushedFrom, s.total-heldBack, s.sent)
	found := endOfChild.FindSubmatch(s.kept(from))
	if found != nil {
		s.total -= int64(len(found[1]))
	}
}

// kept gives the bytes from a position on, as far as they were kept.
func (s *stream) kept(from int64) []byte {
	bytes := []byte{}
	for _, part := range []struct {
		ring *ring
		end  int64
	}{{s.live, min(s.total, s.liveEnd)}, {s.tail, s.total}} {
		for from = max(from, part.ring.start); from < part.end && from < part.ring.end; {
			piece := part.ring.piece(from, part.end)
			bytes = append(bytes, piece...)
			from += int64(len(piece))
		}
	}
	return bytes
}
