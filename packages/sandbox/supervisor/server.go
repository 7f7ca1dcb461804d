package main

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/hex"
	"os"
	"sync"
	"syscall"
	"time"
)

// server is the one supervisor of a sandbox: what runs, and who may ask.
type server struct {
	stateDir string
	boot     string
	pid, uid int
	reaper   *reaper
	orphanMs int64
	null     uintptr

	mutex    sync.Mutex
	token    string
	hasToken bool
	execs    map[string]*execution
	sessions map[uint32]*session
	channels map[*channel]bool
	orphan   *time.Timer
	ending   bool

	recording bool // a timer for the records runs
	trees     treeRegistry
}

func newServer(stateDir string) (*server, error) {
	null, err := syscall.Open("/dev/null", syscall.O_RDWR|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	s := &server{
		stateDir: stateDir, boot: randomHex(8), pid: os.Getpid(), uid: os.Getuid(), null: uintptr(null),
		execs: map[string]*execution{}, sessions: map[uint32]*session{}, channels: map[*channel]bool{},
	}
	s.reaper = newReaper()
	s.trees.reaper = s.reaper
	go s.reaper.run()
	return s, nil
}

func randomHex(size int) string {
	made := make([]byte, size)
	if _, err := rand.Read(made); err != nil {
		panic(err)
	}
	return hex.EncodeToString(made)
}

// admit takes the first token as the one to ask for from then on.
func (s *server) admit(token string) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if !s.hasToken {
		s.token, s.hasToken = token, true
		return true
	}
	return subtle.ConstantTimeCompare([]byte(token), []byte(s.token)) == 1
}

// serveChannel runs a channel to its end.
func (s *server) serveChannel(c *channel) {
	s.mutex.Lock()
	s.channels[c] = true
	if s.orphan != nil {
		s.orphan.Stop()
		s.orphan = nil
	}
	s.mutex.Unlock()
	go c.write()
	stop := make(chan struct{})
	go c.watch(stop)
	c.readFrames()
	close(stop)
	s.channelEnded(c)
}

func (s *server) channelEnded(c *channel) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	delete(s.channels, c)
	if len(s.channels) == 0 && s.orphan == nil && !s.ending {
		s.orphan = time.AfterFunc(time.Duration(s.orphanMs)*time.Millisecond, func() { s.shutdown(0) })
	}
}

// watch pings a quiet client and gives a silent one up.
func (c *channel) watch(stop chan struct{}) {
	ticker := time.NewTicker(pingAfter)
	defer ticker.Stop()
	for {
		select {
		case <-stop:
			return
		case <-ticker.C:
		}
		c.mutex.Lock()
		quiet := time.Since(c.lastRead)
		c.mutex.Unlock()
		if quiet > silenceLimit {
			c.server.channelEnded(c)
			c.close()
			return
		}
		if quiet >= pingAfter && c.credit > 0 {
			c.send(rawFrame(typePing, 0, []byte("hermes\x00\x00")))
		}
	}
}

func (s *server) running() []runningMessage {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	list := []runningMessage{}
	for key, one := range s.execs {
		if pid, startedAt, runs := one.runs(); runs {
			list = append(list, runningMessage{key, pid, startedAt})
		}
	}
	return list
}

// shutdown ends every tree, lets the exit frames out, and ends the program.
func (s *server) shutdown(graceMs int64) {
	s.mutex.Lock()
	if s.ending {
		s.mutex.Unlock()
		return
	}
	s.ending = true
	s.mutex.Unlock()
	s.endAll(graceMs)
	s.flushChannels()
	s.removeState()
	os.Exit(0)
}

func (s *server) endAll(graceMs int64) {
	var group sync.WaitGroup
	for _, one := range s.allExecs() {
		group.Go(func() {
			one.end("cancelled", "the supervisor was shut down", graceMs)
			if !one.waitEnded(time.Duration(graceMs)*time.Millisecond + time.Second) {
				one.giveUpOutput()
				one.waitEnded(unkillableAfter + time.Second)
			}
		})
	}
	group.Wait()
	s.endSessions()
	s.trees.killEverything()
}

func (s *server) allExecs() []*execution {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	list := []*execution{}
	for _, one := range s.execs {
		list = append(list, one)
	}
	return list
}

func (s *server) flushChannels() {
	deadline := time.Now().Add(2 * time.Second)
	for c := range s.openChannels() {
		for c.hasQueued() && time.Now().Before(deadline) {
			time.Sleep(time.Millisecond)
		}
	}
}

func (s *server) openChannels() map[*channel]bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	list := map[*channel]bool{}
	for c := range s.channels {
		list[c] = true
	}
	return list
}
