package main

import (
	"io"
	"os"
	"sync"
	"syscall"
)

// getTransfer sends a file or a folder as a tar archive.
type getTransfer struct {
	channel *channel
	id      uint32
	message transferMessage

	mutex  sync.Mutex
	wake   *sync.Cond
	credit int64
	lost   bool

	digest digest
	made   []byte // the frame being filled
}

func (c *channel) startGet(f frame) {
	t := &getTransfer{channel: c, id: f.id, credit: c.credit}
	t.wake = sync.NewCond(&t.mutex)
	if !c.parse(f, &t.message) {
		return
	}
	t.credit = max(t.credit, t.message.Credit)
	t.digest = newDigest(t.message.Digest)
	if !c.claim(f.id, t) {
		c.fail(f.id, "PROTOCOL", "the id is in use")
		return
	}
	go c.asUser(f.id, t.message.User, t.message.Path, t.run)
}

func (t *getTransfer) receive(_ *channel, f frame) {
	if f.kind == typeCredit {
		t.mutex.Lock()
		t.credit += creditOf(f)
		t.mutex.Unlock()
		t.wake.Signal()
	}
}

func (t *getTransfer) channelLost(*channel) {
	t.mutex.Lock()
	t.lost = true
	t.mutex.Unlock()
	t.wake.Signal()
}

func (t *getTransfer) run() {
	defer t.channel.release(t.id)
	defer func() { releaseBlock(t.made) }()
	if t.message.Form == "tar" {
		t.sendTree()
		return
	}
	file, err := t.open()
	if err != nil {
		t.channel.refuseFile(t.id, t.message.Path, err)
		return
	}
	defer file.Close()
	t.end(t.sendFile(file))
}

// open answers whether the file can be had, before any data.
func (t *getTransfer) open() (*os.File, error) {
	file, err := os.OpenFile(t.message.Path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil {
		err = t.check(info)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	t.channel.send(jsonFrame(typeFileReply, t.id, fileValue{true, describeFile(t.message.Path, info)}))
	return file, nil
}

func (t *getTransfer) check(info os.FileInfo) error {
	if info.IsDir() {
		return syscall.EISDIR
	}
	if !info.Mode().IsRegular() {
		return syscall.EPERM // a device or pipe has no end
	}
	if t.message.MaxBytes != nil && info.Size() > *t.message.MaxBytes {
		return syscall.EFBIG
	}
	return nil
}

// sendFile reads straight into the frames, as long as there is credit.
func (t *getTransfer) sendFile(file *os.File) error {
	for {
		n, err := file.Read(t.space())
		if n > 0 {
			if t.message.MaxBytes != nil && t.digest.size+int64(n) > *t.message.MaxBytes {
				return syscall.EFBIG // it grew
			}
			if !t.push(n) {
				return io.ErrClosedPipe
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// space waits for credit and gives the place for the next bytes of data.
func (t *getTransfer) space() []byte {
	t.mutex.Lock()
	for t.credit <= 0 && !t.lost {
		t.wake.Wait()
	}
	size := max(min(t.credit, fileChunk), 1)
	t.mutex.Unlock()
	if t.made == nil {
		t.made = takeBlock(blockSize)
	}
	return t.made[frameHeader : frameHeader+size]
}

// push sends the frame of the last space; false when the client is gone.
func (t *getTransfer) push(count int) bool {
	t.mutex.Lock()
	t.credit -= int64(count)
	lost := t.lost
	t.mutex.Unlock()
	made := t.made[:frameHeader+count]
	t.made = nil
	t.digest.add(made[frameHeader:])
	appendHeader(made[:0], typeFileData, t.id, count)
	return !lost && t.channel.sendData(made)
}

// end closes a transfer whose reply was already given. It waits its turn behind
// the data.
func (t *getTransfer) end(err error) {
	if err != nil {
		t.channel.sendData(jsonFrame(typeError, t.id, errorMessage{fileCode(err), err.Error()}))
		return
	}
	t.channel.sendData(jsonFrame(typeFileEnd, t.id, t.digest.end()))
}
