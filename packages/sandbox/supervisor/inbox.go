package main

import "sync"

// inbox holds the data that a client sent for an id until it is used. Its bound
// is the credit that the client was given.
type inbox struct {
	mutex   sync.Mutex
	wake    *sync.Cond
	pieces  [][]byte
	pending int
	ended   bool
	broken  bool
}

func newInbox() *inbox {
	q := &inbox{}
	q.wake = sync.NewCond(&q.mutex)
	return q
}

// add keeps the frame's bytes; false when the client had no credit for them.
func (q *inbox) add(f frame) bool {
	bytes := f.payload
	q.mutex.Lock()
	defer q.mutex.Unlock()
	if q.pending+len(bytes) > receiveCredit+fileChunk {
		return false
	}
	if q.ended || len(bytes) == 0 {
		return true
	}
	if !f.isBlock {
		bytes = append([]byte(nil), bytes...)
	}
	q.pieces = append(q.pieces, bytes)
	q.pending += len(bytes)
	q.wake.Signal()
	return true
}

// finish is the end of input; what came before it is still taken.
func (q *inbox) finish() {
	q.mutex.Lock()
	q.ended = true
	q.mutex.Unlock()
	q.wake.Signal()
}

// abandon drops what is there, and ends.
func (q *inbox) abandon() {
	q.mutex.Lock()
	q.ended, q.broken, q.pieces = true, true, nil
	q.mutex.Unlock()
	q.wake.Signal()
}

// take waits for the next piece, which is the caller's; false at the end.
func (q *inbox) take() ([]byte, bool) {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	for len(q.pieces) == 0 && !q.ended {
		q.wake.Wait()
	}
	if len(q.pieces) == 0 {
		return nil, false
	}
	first := q.pieces[0]
	q.pieces = q.pieces[1:]
	q.pending -= len(first)
	return first, true
}

func (q *inbox) isBroken() bool {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	return q.broken
}
