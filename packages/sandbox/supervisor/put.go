package main

import (
	"encoding/json"
	"errors"
	"io"
	"sync/atomic"
)

var errDigest = errors.New("the bytes that came are not those that were sent")

// putTransfer receives a file or a tar archive.
type putTransfer struct {
	*inbox
	channel *channel
	id      uint32
	message transferMessage
	end     fileEndMessage
	stopped atomic.Bool // an answer was given: what still comes is dropped

	digest digest
	owed   int    // bytes taken in for which the client was not given credit yet
	held   []byte // the piece given last
	rest   []byte
}

const grantAt = receiveCredit / 4

func (c *channel) startPut(f frame) {
	t := &putTransfer{inbox: newInbox(), channel: c, id: f.id}
	if !c.parse(f, &t.message) {
		return
	}
	t.digest = newDigest(t.message.Digest)
	if !c.claim(f.id, t) {
		c.fail(f.id, "PROTOCOL", "the id is in use")
		return
	}
	go c.asUser(f.id, t.message.User, t.message.Path, t.run)
}

func (t *putTransfer) receive(from *channel, f frame) {
	switch f.kind {
	case typeFileData:
		if t.stopped.Load() {
			from.send(creditFrame(t.id, len(f.payload)))
		} else if !t.add(f) {
			from.fail(f.id, "PROTOCOL", "more was sent than there was credit for")
			t.abandon()
		}
	case typeFileEnd:
		if json.Unmarshal(f.payload, &t.end) != nil {
			t.abandon()
		}
		t.finish()
		if t.stopped.Load() {
			from.release(t.id)
		}
	}
}

func (t *putTransfer) channelLost(*channel) { t.abandon() }

func (t *putTransfer) run() {
	err := t.store()
	t.stopped.Store(true)
	if t.isBroken() {
		return
	}
	if errors.Is(err, errDigest) {
		t.channel.fail(t.id, "PROTOCOL", err.Error())
	} else if err != nil {
		t.channel.refuseFile(t.id, t.message.Path, err)
	} else {
		t.channel.send(jsonFrame(typeFileReply, t.id, fileValue{true, nil}))
	}
	t.abandon()
	t.channel.release(t.id)
}

func (t *putTransfer) store() error {
	if t.message.Form == "tar" {
		return extractTar(t, t.message.Path)
	}
	return writeFile(t, t.message.Path, t.message.Mode, t.message.MaxBytes)
}

// next gives the following piece, valid until the call after; io.EOF only when
// all came and is right.
func (t *putTransfer) next() ([]byte, error) {
	releaseBlock(t.held)
	piece, more := t.take()
	t.held = piece
	if more {
		t.digest.add(piece)
		t.grant(len(piece))
		return piece, nil
	}
	if t.isBroken() {
		return nil, io.ErrUnexpectedEOF
	}
	if t.end != t.digest.end() {
		return nil, errDigest
	}
	return nil, io.EOF
}

// grant gives credit in few frames.
func (t *putTransfer) grant(count int) {
	if t.owed += count; t.owed >= grantAt {
		t.channel.send(creditFrame(t.id, t.owed))
		t.owed = 0
	}
}

// Read serves the tar reader.
func (t *putTransfer) Read(into []byte) (int, error) {
	if len(t.rest) == 0 {
		piece, err := t.next()
		if err != nil {
			return 0, err
		}
		t.rest = piece
	}
	n := copy(into, t.rest)
	t.rest = t.rest[n:]
	return n, nil
}
