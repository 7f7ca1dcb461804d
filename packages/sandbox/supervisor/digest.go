package main

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"hash/crc32"
)

// digest adds up the bytes of a transfer, as its client asked.
type digest struct {
	sum   hash.Hash // nil: only the size counts
	isCRC bool
	size  int64
}

func newDigest(name string) digest {
	switch name {
	case "none":
		return digest{}
	case "crc32":
		return digest{sum: crc32.NewIEEE(), isCRC: true}
	}
	return digest{sum: sha256.New()}
}

func (d *digest) add(bytes []byte) {
	d.size += int64(len(bytes))
	if d.sum != nil {
		d.sum.Write(bytes)
	}
}

// end is what the file_end frame of these bytes says.
func (d *digest) end() fileEndMessage {
	made := fileEndMessage{Size: d.size}
	switch {
	case d.sum == nil:
	case d.isCRC:
		made.CRC32 = hex.EncodeToString(d.sum.Sum(nil))
	default:
		made.SHA256 = hex.EncodeToString(d.sum.Sum(nil))
	}
	return made
}
