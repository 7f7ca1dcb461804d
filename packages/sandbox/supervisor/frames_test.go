package main

import (
	"bytes"
	"io"
	"math/rand"
	"testing"
)

// dribble reads in pieces of varying size.
func dribble(bytes []byte, source *rand.Rand) func([]byte) (int, error) {
	return func(into []byte) (int, error) {
		if len(bytes) == 0 {
			return 0, io.EOF
		}
		n := copy(into[:min(len(into), 1+source.Intn(70_000))], bytes)
		bytes = bytes[n:]
		return n, nil
	}
}

func TestFramesAreCutTheSameHoweverTheyArrive(t *testing.T) {
	source := rand.New(rand.NewSource(1))
	stream, sent := []byte{}, [][]byte{}
	for at := range 200 {
		payload := make([]byte, source.Intn(3)*source.Intn(maxFrame/3))
		source.Read(payload)
		sent = append(sent, payload)
		stream = append(stream, rawFrame(typeStdin, uint32(at), payload)...)
	}
	reader := newFrameReader(dribble(stream, source))
	for at, payload := range sent {
		f, err := reader.next()
		if err != nil || f.kind != typeStdin || f.id != uint32(at) || !bytes.Equal(f.payload, payload) {
			t.Fatalf("frame %d: %v", at, err)
		}
	}
	if _, err := reader.next(); err != io.EOF {
		t.Fatal(err)
	}
}

func TestALengthOutOfBoundsIsRefused(t *testing.T) {
	for _, head := range [][]byte{{0, 0, 0, 4, 1, 0, 0, 0}, {0, 0x10, 0, 1, 1, 0, 0, 0}, {0xff, 0xff, 0xff, 0xff}} {
		reader := newFrameReader(dribble(head, rand.New(rand.NewSource(1))))
		if _, err := reader.next(); err != errFrame {
			t.Errorf("%x: %v", head, err)
		}
	}
}

func FuzzFrames(f *testing.F) {
	f.Add(rawFrame(typeStart, 1, []byte(`{"key":"a"}`)))
	f.Fuzz(func(t *testing.T, stream []byte) {
		reader := newFrameReader(dribble(stream, rand.New(rand.NewSource(1))))
		for {
			one, err := reader.next()
			if err != nil {
				return
			}
			if len(one.payload) > maxFrame-5 {
				t.Fatal("a payload is too long")
			}
		}
	})
}

func TestARingKeepsTheLastBytes(t *testing.T) {
	source := rand.New(rand.NewSource(2))
	for _, limit := range []int64{1, 7, 4096, 100_000} {
		kept, whole := newRing(limit, 0), []byte{}
		for len(whole) < 300_000 {
			space := kept.space(1+source.Intn(5000), kept.end)
			n := 1 + source.Intn(len(space))
			source.Read(space[:n])
			whole = append(whole, space[:n]...)
			kept.advance(n)
		}
		for at := kept.start; at < kept.end; {
			piece := kept.piece(at, kept.end)
			if !bytes.Equal(piece, whole[at:at+int64(len(piece))]) {
				t.Fatalf("limit %d: wrong bytes at %d", limit, at)
			}
			at += int64(len(piece))
		}
	}
}
