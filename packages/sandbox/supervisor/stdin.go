package main

import (
	"os"
	"sync"
)

// stdinQueue holds what the client sent until the command takes it. It is
// bounded by the credit that the client was given.
type stdinQueue struct {
	owner   *execution
	file    *os.File
	mutex   sync.Mutex
	wake    *sync.Cond
	pieces  [][]byte
	pending int
	ended   bool
}

func newStdinQueue(owner *execution) *stdinQueue {
	q := &stdinQueue{owner: owner}
	q.wake = sync.NewCond(&q.mutex)
	return q
}

func (e *execution) feed(from *channel, f frame) {
	if e.stdin != nil && !e.stdin.add(f.payload) {
		from.fail(f.id, "PROTOCOL", "more stdin was sent than there was credit for")
		go e.end("cancelled", "stdin beyond its credit", 0)
	}
}

func (q *stdinQueue) add(bytes []byte) bool {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	if q.pending+len(bytes) > receiveCredit+dataChunk {
		return false
	}
	q.pieces = append(q.pieces, append([]byte(nil), bytes...))
	q.pending += len(bytes)
	q.wake.Signal()
	return true
}

// finish is the end of input.
func (q *stdinQueue) finish() {
	q.mutex.Lock()
	q.ended = true
	q.mutex.Unlock()
	q.wake.Signal()
}

// begin starts the writer, once the command runs.
func (q *stdinQueue) begin() { go q.run() }

func (q *stdinQueue) run() {
	broken := false
	for {
		piece, more := q.take()
		if !more {
			q.endInput()
			return
		}
		if !broken {
			_, err := q.file.Write(piece)
			broken = err != nil // the command reads no more: the rest is dropped
		}
		q.credit(len(piece))
	}
}

func (q *stdinQueue) endInput() {
	if q.owner.terminal == nil {
		q.file.Close()
		return
	}
	q.file.Write([]byte{4}) // ctrl-D; the terminal itself stays open
}

func (q *stdinQueue) take() ([]byte, bool) {
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
	return first, true
}

func (q *stdinQueue) credit(count int) {
	q.mutex.Lock()
	q.pending -= count
	q.mutex.Unlock()
	e := q.owner
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if e.client != nil {
		e.client.send(creditFrame(e.id, count))
	}
}

// abandon unblocks the writer once the command is over.
func (q *stdinQueue) abandon() {
	q.mutex.Lock()
	q.ended, q.pieces = true, nil
	file := q.file
	q.mutex.Unlock()
	if file != nil && q.owner.terminal == nil {
		file.Close()
	}
	q.wake.Signal()
}
