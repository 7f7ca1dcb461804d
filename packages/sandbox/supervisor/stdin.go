package main

import "os"

// stdinPipe writes what the client sends into the command's standard input.
type stdinPipe struct {
	*inbox
	owner *execution
	file  *os.File
}

func (e *execution) feed(from *channel, f frame) {
	if e.stdin != nil && !e.stdin.add(f) {
		from.fail(f.id, "PROTOCOL", "more stdin was sent than there was credit for")
		go e.end("cancelled", "stdin beyond its credit", 0)
	}
}

func (p *stdinPipe) run() {
	readerGone := false // then the rest is dropped
	for {
		piece, more := p.take()
		if !more {
			p.endInput()
			return
		}
		if !readerGone {
			_, err := p.file.Write(piece)
			readerGone = err != nil
		}
		p.owner.grant(len(piece))
		releaseBlock(piece)
	}
}

func (p *stdinPipe) endInput() {
	if p.owner.terminal == nil {
		p.file.Close()
	} else if !p.isBroken() {
		p.file.Write([]byte{4}) // ctrl-D: the terminal itself stays open
	}
}

// grant lets the client send so many more bytes of stdin.
func (e *execution) grant(count int) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if e.client != nil {
		e.client.send(creditFrame(e.id, count))
	}
}

// close unblocks the writer once the command is over.
func (p *stdinPipe) close() {
	p.abandon()
	if p.file != nil && p.owner.terminal == nil {
		p.file.Close()
	}
}
