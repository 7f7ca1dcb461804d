package main

import (
	"encoding/binary"
	"os"
	"sync"
	"time"
)

const (
	batchBytes   = 256 << 10 // at most so much is gathered for one write
	queuedBytes  = 1 << 20   // file data that may wait for the writer
	pingAfter    = 5 * time.Second
	silenceLimit = 60 * time.Second
)

// source gives the writer data frames when it has some: it appends at most one
// frame for each call and says whether it has more that may be sent now.
type source interface {
	fill(batch []byte) (filled []byte, more bool)
}

// endpoint is what an id of a channel stands for.
type endpoint interface {
	receive(from *channel, f frame)
}

// channel is one client connection. Senders never block on it (except file
// transfers, in sendData): one writer gathers frames and writes them.
type channel struct {
	in, out int
	input   *os.File // in, where the runtime waits for it; nil for one that was lent
	lender  int      // the connection of the process that lent in and out, or -1
	server  *server
	credit  int64 // start value per id, from hello
	resume  map[string]resumeOffset

	mutex     sync.Mutex
	wake      *sync.Cond
	control   []byte
	ready     []source
	data      [][]byte
	dataBytes int
	closed    bool
	writing   bool // a batch is on its way out
	lastRead  time.Time
	endpoints map[uint32]endpoint
	scripts   map[uint32][]byte

	onWriterEnd func()
}

func newChannel(s *server, in, out int) *channel {
	c := &channel{in: in, out: out, lender: -1, server: s, endpoints: map[uint32]endpoint{}, scripts: map[uint32][]byte{}, lastRead: time.Now()}
	c.wake = sync.NewCond(&c.mutex)
	return c
}

// send queues a control frame.
func (c *channel) send(made []byte) {
	c.mutex.Lock()
	if !c.closed {
		c.control = append(c.control, made...)
	}
	c.mutex.Unlock()
	c.wake.Broadcast()
}

func (c *channel) fail(id uint32, code, message string) {
	c.send(jsonFrame(typeError, id, errorMessage{code, message}))
}

// offer tells the writer that a source has data.
func (c *channel) offer(s source) {
	c.mutex.Lock()
	if !c.closed {
		c.ready = append(c.ready, s)
	}
	c.mutex.Unlock()
	c.wake.Broadcast()
}

// sendData queues a data frame and waits while much is queued; false: closed.
func (c *channel) sendData(made []byte) bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for c.dataBytes > queuedBytes && !c.closed {
		c.wake.Wait()
	}
	if c.closed {
		return false
	}
	c.data = append(c.data, made)
	c.dataBytes += len(made)
	c.wake.Broadcast()
	return true
}

// write is the writer's loop: it ends when the channel is closed.
func (c *channel) write() {
	if c.onWriterEnd != nil {
		defer c.onWriterEnd()
	}
	batch := make([]byte, 0, batchBytes+dataChunk+frameHeader+8)
	for {
		var bulk []byte
		var open bool
		if batch, bulk, open = c.gather(batch[:0]); !open {
			return
		}
		err := writeBoth(c.out, batch, bulk)
		releaseBlock(bulk)
		if err != nil {
			c.close()
			return
		}
	}
}

// gather waits for something to send and collects it: control frames first,
// then the sources in turn, so that none starves another. A frame of file data
// goes behind them as it is.
func (c *channel) gather(batch []byte) (filled, bulk []byte, open bool) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.writing = false
	for len(c.control) == 0 && len(c.ready) == 0 && len(c.data) == 0 {
		if c.closed {
			return nil, nil, false
		}
		c.wake.Wait()
	}
	for len(batch) < batchBytes && len(c.control)+len(c.ready) > 0 {
		if len(c.control) > 0 {
			batch = append(batch, c.control...)
			c.control = c.control[:0]
		} else {
			batch = c.takeReady(batch)
		}
	}
	if len(c.data) > 0 {
		bulk = c.takeData()
	}
	c.writing = true
	return batch, bulk, true
}

func (c *channel) takeData() []byte {
	first := c.data[0]
	c.data = c.data[1:]
	c.dataBytes -= len(first)
	c.wake.Broadcast()
	return first
}

// takeReady asks one source, without holding the lock that the source may need.
func (c *channel) takeReady(batch []byte) []byte {
	first := c.ready[0]
	c.ready = c.ready[1:]
	c.mutex.Unlock()
	batch, more := first.fill(batch)
	c.mutex.Lock()
	if more {
		c.ready = append(c.ready, first)
	}
	return batch
}

// readFrames handles what the client sends until the channel ends.
func (c *channel) readFrames() {
	reader := newFrameReader(c.readSome)
	for {
		f, err := reader.next()
		if err == errFrame {
			c.fail(0, "PROTOCOL", err.Error())
			c.flushAndClose()
			return
		}
		if err != nil || !c.handle(f) {
			c.close()
			return
		}
	}
}

func (c *channel) flushAndClose() {
	deadline := time.Now().Add(time.Second)
	for c.hasQueued() && time.Now().Before(deadline) {
		time.Sleep(5 * time.Millisecond)
	}
	c.close()
}

func (c *channel) hasQueued() bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return !c.closed && (c.writing || len(c.control)+len(c.data) > 0)
}

// close ends the channel once; what runs goes on without it.
func (c *channel) close() {
	c.mutex.Lock()
	if c.closed {
		c.mutex.Unlock()
		return
	}
	c.closed = true
	endpoints := c.endpoints
	c.endpoints = map[uint32]endpoint{}
	c.control, c.ready, c.data, c.scripts = nil, nil, nil, nil
	c.mutex.Unlock()
	c.wake.Broadcast()
	for _, one := range endpoints {
		if watcher, ok := one.(interface{ channelLost(*channel) }); ok {
			watcher.channelLost(c)
		}
	}
}

func (c *channel) endpoint(id uint32) endpoint {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.endpoints[id]
}

// claim binds an id; false when the id is taken.
func (c *channel) claim(id uint32, e endpoint) bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if _, taken := c.endpoints[id]; taken || id == 0 || c.closed {
		return false
	}
	c.endpoints[id] = e
	return true
}

func (c *channel) release(id uint32) {
	c.mutex.Lock()
	delete(c.endpoints, id)
	c.mutex.Unlock()
}

func creditOf(f frame) int64 {
	if len(f.payload) < 4 {
		return 0
	}
	return int64(binary.BigEndian.Uint32(f.payload))
}
