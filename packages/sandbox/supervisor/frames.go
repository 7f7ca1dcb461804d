package main

import (
	"encoding/binary"
	"encoding/json"
	"errors"
)

const (
	maxFrame    = 1 << 20  // of what the length field counts
	dataChunk   = 64 << 10 // payload of one data frame
	frameHeader = 9        // length, type, id
)

// Frame types, as in PROTOCOL.md.
const (
	typeHello        = 0x01
	typeWelcome      = 0x02
	typePing         = 0x03
	typePong         = 0x04
	typeError        = 0x05
	typeCredit       = 0x06
	typeStart        = 0x10
	typeStarted      = 0x11
	typeStdin        = 0x12
	typeStdinEnd     = 0x13
	typeStdout       = 0x14
	typeStderr       = 0x15
	typeExit         = 0x16
	typeAck          = 0x17
	typeSignal       = 0x18
	typeResize       = 0x19
	typeSessionOpen  = 0x1a
	typeSessionClose = 0x1b
	typeSessionReady = 0x1c
	typeScript       = 0x1d
	typeFilePut      = 0x20
	typeFileGet      = 0x21
	typeFileData     = 0x23
	typeFileEnd      = 0x24
	typeFileOp       = 0x25
	typeFileReply    = 0x26
	typeUsage        = 0x30
	typeUsageReply   = 0x31
	typeShutdown     = 0x3f
)

var errFrame = errors.New("a frame's length is outside 5 bytes to 1 MiB")

// frame is one decoded frame. The payload is valid until the reader's next call.
type frame struct {
	kind    byte
	id      uint32
	payload []byte
}

// frameReader cuts a byte stream into frames with few reads and no copy.
type frameReader struct {
	read       func([]byte) (int, error)
	buffer     []byte
	start, end int
}

func newFrameReader(read func([]byte) (int, error)) *frameReader {
	return &frameReader{read: read, buffer: make([]byte, 2*dataChunk)}
}

func (r *frameReader) next() (frame, error) {
	if err := r.need(4); err != nil {
		return frame{}, err
	}
	length := int(binary.BigEndian.Uint32(r.buffer[r.start:]))
	if length < 5 || length > maxFrame {
		return frame{}, errFrame
	}
	if err := r.need(4 + length); err != nil {
		return frame{}, err
	}
	body := r.buffer[r.start+4 : r.start+4+length]
	r.start += 4 + length
	return frame{body[0], binary.BigEndian.Uint32(body[1:]), body[5:]}, nil
}

// need reads until count bytes stand at start.
func (r *frameReader) need(count int) error {
	r.makeRoom(count)
	for r.end-r.start < count {
		n, err := r.read(r.buffer[r.end:])
		if err != nil {
			return err
		}
		r.end += n
	}
	return nil
}

func (r *frameReader) makeRoom(count int) {
	if r.start == r.end {
		r.start, r.end = 0, 0
	}
	if r.start+count <= len(r.buffer) {
		return
	}
	target := r.buffer
	if count > len(target) {
		target = make([]byte, count+dataChunk)
	}
	r.end = copy(target, r.buffer[r.start:r.end])
	r.start, r.buffer = 0, target
}

// appendHeader starts a frame whose payload of the given size the caller appends.
func appendHeader(to []byte, kind byte, id uint32, size int) []byte {
	to = binary.BigEndian.AppendUint32(to, uint32(5+size))
	to = append(to, kind)
	return binary.BigEndian.AppendUint32(to, id)
}

func rawFrame(kind byte, id uint32, payload []byte) []byte {
	made := make([]byte, 0, frameHeader+len(payload))
	return append(appendHeader(made, kind, id, len(payload)), payload...)
}

func jsonFrame(kind byte, id uint32, value any) []byte {
	payload, err := json.Marshal(value)
	if err != nil {
		payload = []byte("{}")
	}
	return rawFrame(kind, id, payload)
}

func creditFrame(id uint32, count int) []byte {
	return rawFrame(typeCredit, id, binary.BigEndian.AppendUint32(nil, uint32(count)))
}
