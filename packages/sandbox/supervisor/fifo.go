package main

import (
	"fmt"
	"os"
	"syscall"
)

// fifoPair is the two named pipes into which a session's shell directs the
// output of its commands. They serve again as long as nothing else holds them.
type fifoPair struct {
	ends [2]fifoEnds
}

type fifoEnds struct {
	reader *os.File
	writer int // ours, so that the pipe does not end before the shell opened it
	open   bool
}

// connectShell makes the command's streams.
func (e *execution) connectShell() error {
	n := e.session
	names := []string{"out", "err"}
	if e.message.Merge {
		names = names[:1]
	}
	for at, name := range names {
		reader, err := n.fifos.ends[at].prepare(n.file(name), n.who)
		if err != nil {
			n.fifos.reuse(false)
			return err
		}
		e.addStream(byte(typeStdout+at), reader)
	}
	return nil
}

func (f *fifoEnds) prepare(path string, who *account) (*os.File, error) {
	if f.reader == nil {
		if err := f.create(path, who); err != nil {
			return nil, err
		}
	}
	writer, err := syscall.Open(path, syscall.O_WRONLY|syscall.O_NONBLOCK|syscall.O_CLOEXEC|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return nil, fmt.Errorf("open a named pipe: %w", err)
	}
	f.writer, f.open = writer, true
	return f.reader, nil
}

func (f *fifoEnds) create(path string, who *account) error {
	os.Remove(path)
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		return fmt.Errorf("make a named pipe: %w", err)
	}
	if who != nil {
		if err := os.Chown(path, int(who.uid), int(who.gid)); err != nil {
			return err
		}
	}
	reader, err := syscall.Open(path, syscall.O_RDONLY|syscall.O_NONBLOCK|syscall.O_CLOEXEC|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return fmt.Errorf("open a named pipe: %w", err)
	}
	f.reader = os.NewFile(uintptr(reader), path)
	return nil
}

// closeWriters lets the pipes end once the command's processes let go of them.
func (p *fifoPair) closeWriters() {
	for at := range p.ends {
		if end := &p.ends[at]; end.open {
			syscall.Close(end.writer)
			end.open = false
		}
	}
}

// reuse keeps the pipes for the next command, or leaves them to who still
// holds them.
func (p *fifoPair) reuse(free bool) {
	p.closeWriters()
	for at := range p.ends {
		if !free {
			p.ends[at].reader = nil
		} else if reader := p.ends[at].reader; reader != nil {
			noDeadline(reader)
		}
	}
}

func (p *fifoPair) close() {
	p.closeWriters()
	for at := range p.ends {
		if reader := p.ends[at].reader; reader != nil {
			reader.Close()
			p.ends[at].reader = nil
		}
	}
}
