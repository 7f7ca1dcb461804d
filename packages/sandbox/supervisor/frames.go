package main

import (
	"encoding/binary"
	"encoding/json"
	"errors"
)

const (
	maxFrame    = 1 << 20  // of what the length field counts
	dataChunk   = 64 << 10 // payload of one output frame
	fileChunk   = 256 << 10
	frameHeader = 9 // length, type, id

	betweenBlocks = 2 << 10
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

// frame is one decoded frame. The payload is valid until the reader's next call,
// unless it is a block of its own: then it is the handler's.
type frame struct {
	kind    byte
	id      uint32
	payload []byte
	isBlock bool
}

// frameReader cuts a byte stream into frames with few reads and no copy.
type frameReader struct {
	read       func([]byte) (int, error)
	buffer     []byte
	start, end int
	isBulk     bool // the last frame was a block: most likely so is the next
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
	if err := r.need(frameHeader); err != nil {
		return frame{}, err
	}
	head := frame{kind: r.buffer[r.start+4], id: binary.BigEndian.Uint32(r.buffer[r.start+5:])}
	r.isBulk = isInput(head.kind) && length > dataChunk/2
	if r.isBulk {
		return r.nextBlock(head, length-5)
	}
	if err := r.need(4 + length); err != nil {
		return frame{}, err
	}
	head.payload = r.buffer[r.start+frameHeader : r.start+4+length]
	r.start += 4 + length
	return head, nil
}

// nextBlock reads straight into the memory in which the payload is kept.
func (r *frameReader) nextBlock(head frame, size int) (frame, error) {
	r.start += frameHeader
	block := takeBlock(size)
	filled := copy(block, r.buffer[r.start:r.end])
	r.start += filled
	for filled < size {
		n, err := r.read(block[filled:])
		if err != nil {
			releaseBlock(block)
			return frame{}, err
		}
		filled += n
	}
	head.payload, head.isBlock = block, true
	return head, nil
}

func isInput(kind byte) bool { return kind == typeFileData || kind == typeStdin }

// need reads until count bytes stand at start. Between blocks it reads little,
// since what it reads of the next one has to be copied.
func (r *frameReader) need(count int) error {
	r.makeRoom(count)
	for r.end-r.start < count {
		room := r.buffer[r.end:]
		if r.isBulk {
			room = room[:min(len(room), max(count, betweenBlocks))]
		}
		n, err := r.read(room)
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
