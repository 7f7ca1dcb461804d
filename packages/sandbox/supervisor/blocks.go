package main

import "sync"

const blockSize = fileChunk + frameHeader

// blocks are the buffers of bulk data, each of which is one frame's.
var blocks = sync.Pool{New: func() any {
	made := make([]byte, blockSize)
	return &made
}}

// takeBlock gives a buffer of that size whose content is undefined.
func takeBlock(size int) []byte {
	if size > blockSize {
		return make([]byte, size)
	}
	return (*blocks.Get().(*[]byte))[:size]
}

// releaseBlock takes a block back; the caller has no more use for it.
func releaseBlock(block []byte) {
	if cap(block) == blockSize {
		block = block[:blockSize]
		blocks.Put(&block)
	}
}
