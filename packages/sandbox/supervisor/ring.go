package main

// ring keeps the last bytes of a stream by their position in it. It grows as
// needed up to its limit.
type ring struct {
	buffer     []byte
	limit      int
	start, end int64 // positions of the first byte kept and behind the last
}

const firstRing = 4 << 10

func newRing(limit int64, position int64) *ring {
	return &ring{limit: int(limit), start: position, end: position}
}

// space gives room for the next bytes, at most size, in one piece. Bytes below
// evictable may be dropped for it; nil: no room.
func (r *ring) space(size int, evictable int64) []byte {
	if int(r.end-r.start) == len(r.buffer) && len(r.buffer) < r.limit {
		r.grow()
	}
	if len(r.buffer) == 0 {
		return nil
	}
	at := int(r.end % int64(len(r.buffer)))
	wanted := size
	size = min(size, len(r.buffer)-at)
	free := len(r.buffer) - int(r.end-r.start)
	if free < size && len(r.buffer) < r.limit {
		r.grow()
		return r.space(wanted, evictable)
	}
	if free < size && evictable > r.start {
		drop := min(int64(size-free), evictable-r.start)
		r.start += drop
		free += int(drop)
	}
	if size = min(size, free); size <= 0 {
		return nil
	}
	return r.buffer[at : at+size]
}

func (r *ring) grow() {
	size := min(max(firstRing, 4*len(r.buffer)), r.limit)
	larger := make([]byte, size)
	for at := r.start; at < r.end; {
		piece := r.piece(at, r.end)
		to := int(at % int64(size))
		at += int64(copy(larger[to:], piece))
	}
	r.buffer = larger
}

// advance says that so many bytes of the last space were filled.
func (r *ring) advance(count int) { r.end += int64(count) }

// piece gives the bytes from one position on, at most to the other, as far as
// they lie in one piece.
func (r *ring) piece(from, to int64) []byte {
	at := int(from % int64(len(r.buffer)))
	return r.buffer[at:min(len(r.buffer), at+int(to-from))]
}
