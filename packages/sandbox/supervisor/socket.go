package main

import (
	"errors"
	"fmt"
	"io"
	"syscall"
	"time"
	"unsafe"
)

func newSocket() (int, error) {
	fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return -1, fmt.Errorf("socket: %w", err)
	}
	return fd, nil
}

func dial(path string) (int, error) {
	fd, err := newSocket()
	if err != nil {
		return -1, err
	}
	if err := syscall.Connect(fd, &syscall.SockaddrUnix{Name: path}); err != nil {
		syscall.Close(fd)
		return -1, err
	}
	return fd, nil
}

func listen(path string) (int, error) {
	fd, err := newSocket()
	if err != nil {
		return -1, err
	}
	err = syscall.Bind(fd, &syscall.SockaddrUnix{Name: path})
	if err == nil {
		err = syscall.Chmod(path, 0o600)
	}
	if err == nil {
		err = syscall.Listen(fd, 16)
	}
	if err != nil {
		syscall.Close(fd)
		return -1, fmt.Errorf("listen on %s: %w", path, err)
	}
	return fd, nil
}

// lendChannel passes our input and output to the living supervisor, and stays
// until it closes the connection.
func lendChannel(connection int) error {
	if err := syscall.Sendmsg(connection, []byte{1}, syscall.UnixRights(0, 1), nil, 0); err != nil {
		return fmt.Errorf("pass the channel on: %w", err)
	}
	one := make([]byte, 1)
	for {
		n, err := syscall.Read(connection, one)
		if err == syscall.EINTR {
			continue
		}
		if n <= 0 {
			return nil
		}
	}
}

// accept serves every later channel.
func (s *server) accept(listener int) {
	for {
		connection, _, err := syscall.Accept4(listener, syscall.SOCK_CLOEXEC)
		if err != nil {
			time.Sleep(10 * time.Millisecond) // out of descriptors: others end meanwhile
			continue
		}
		go s.serveLent(connection)
	}
}

func (s *server) serveLent(connection int) {
	in, out, err := receiveChannel(connection)
	if err != nil {
		syscall.Close(connection)
		return
	}
	c := newChannel(s, in, out)
	c.lender = connection
	writerEnded := make(chan struct{})
	c.onWriterEnd = func() {
		syscall.Close(out)
		close(writerEnded)
	}
	s.serveChannel(c)
	syscall.Close(in)
	select {
	case <-writerEnded:
	case <-time.After(time.Second): // its write is stuck: the reader is gone
	}
	syscall.Close(connection)
}

var errNoChannel = errors.New("the connection brought no channel")

// receiveChannel takes the two descriptors that a lender sends.
func receiveChannel(connection int) (in, out int, err error) {
	limit := syscall.NsecToTimeval(int64(5 * time.Second))
	if err := syscall.SetsockoptTimeval(connection, syscall.SOL_SOCKET, syscall.SO_RCVTIMEO, &limit); err != nil {
		return -1, -1, err
	}
	space := make([]byte, syscall.CmsgSpace(2*4))
	_, n, _, _, err := syscall.Recvmsg(connection, make([]byte, 1), space, syscall.MSG_CMSG_CLOEXEC)
	if err != nil {
		return -1, -1, err
	}
	messages, err := syscall.ParseSocketControlMessage(space[:n])
	if err != nil || len(messages) != 1 {
		return -1, -1, errNoChannel
	}
	passed, err := syscall.ParseUnixRights(&messages[0])
	if err != nil || len(passed) != 2 {
		closeAll(passed)
		return -1, -1, errNoChannel
	}
	return passed[0], passed[1], nil
}

// awaitInput waits for input or for the lender's end.
func (c *channel) awaitInput() error {
	entries := [2]pollEntry{{fd: int32(c.in), events: pollIn}, {fd: int32(c.lender), events: pollIn}}
	for {
		_, _, errno := syscall.Syscall6(syscall.SYS_PPOLL, uintptr(unsafe.Pointer(&entries)), 2, 0, 0, 0, 0)
		if errno == syscall.EINTR {
			continue
		}
		if errno != 0 {
			return errno
		}
		if entries[0].revents != 0 {
			return nil
		}
		return io.EOF
	}
}
