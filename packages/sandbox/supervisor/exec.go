package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"
)

const announceAfter = 2 * time.Millisecond

// execution is one started command, known by its key.
type execution struct {
	server  *server
	message startMessage
	mark    string
	tree    *tree

	received  time.Time
	pid       int
	startedAt time.Time
	how       ended // of the leader, once gone is closed
	gone      chan struct{}
	stuck     chan struct{} // closed when even KILL did not end the leader
	over      chan struct{}
	stdin     *stdinPipe
	terminal  *os.File
	cleanUp   []func()

	mutex     sync.Mutex
	id        uint32
	client    *channel
	credit    int64
	streams   []*stream
	drainIdle time.Duration
	drainEnd  time.Time
	cause     string // why it was ended: timeout, cancelled, output_limit_killed
	reason    string
	timers    []*time.Timer
	exit      *exitMessage
	endedAt   time.Time

	unannounced bool // started, but the client was not told yet
	reported    bool
	givenUp     bool
	forgotten   bool
	recorded    bool // as a file

	giveUpLeader sync.Once

	session *session // of a command in a session
	shell   *shell
	nonce   string
}

// start runs a command, or joins the client to the one of the same key.
func (s *server) start(c *channel, id uint32, message startMessage) {
	s.mutex.Lock()
	if known := s.execs[message.Key]; known != nil {
		s.mutex.Unlock()
		known.join(c, id, c.resume[message.Key])
		return
	}
	e := newExecution(s, c, id, message)
	if s.ending || !c.claim(id, e) {
		s.mutex.Unlock()
		c.fail(id, "PROTOCOL", "the id is in use, or the supervisor is ending")
		return
	}
	s.execs[message.Key] = e
	s.mutex.Unlock()
	e.begin()
}

func newExecution(s *server, c *channel, id uint32, message startMessage) *execution {
	e := &execution{
		server: s, message: message, mark: randomHex(8), received: time.Now(), id: id, client: c, credit: c.credit,
		gone: make(chan struct{}), stuck: make(chan struct{}), over: make(chan struct{}),
	}
	if message.Stdin == "open" {
		e.stdin = &stdinPipe{inbox: newInbox(), owner: e}
	}
	return e
}

// begin starts a command where its frame was read, since another goroutine
// between the two costs a switch of threads. Only what may have to wait gets one:
// a session's shell, and the look at a user in files that may be anything.
func (e *execution) begin() {
	switch {
	case e.message.Session != 0:
		go e.runInSession()
	case e.message.User != "":
		go e.run()
	default:
		e.run()
	}
}

func (e *execution) run() {
	if err := e.spawn(); err != nil {
		e.notStarted(err)
		return
	}
	go e.attend()
}

// attend is the life of a started execution.
func (e *execution) attend() {
	e.announceSoon()
	done := e.startPumps()
	e.armTimeout()
	e.endIfAlreadyAsked()
	how, ok := e.awaitLeader()
	e.conclude(how.at, done, func() exitMessage { return e.describe(how, ok) })
}

func (e *execution) startPumps() chan struct{} {
	done := make(chan struct{}, len(e.streams))
	for _, one := range e.streams {
		go one.pump(done)
	}
	return done
}

// announceSoon lets the started frame wait for company: that of a short command
// goes out together with its exit, which saves both sides a turn.
func (e *execution) announceSoon() {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	e.unannounced = true
	e.timers = append(e.timers, time.AfterFunc(announceAfter, e.announce))
}

func (e *execution) announce() {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if made := e.takeStartedLocked(false); made != nil {
		e.client.send(made)
	}
}

// takeStartedLocked gives the started frame when it was not sent yet; it has to
// go before all else of this id.
func (e *execution) takeStartedLocked(duplicate bool) []byte {
	if !e.unannounced || e.client == nil {
		return nil
	}
	e.unannounced = false
	queued := e.startedAt.Sub(e.received).Milliseconds()
	return jsonFrame(typeStarted, e.id, startedMessage{e.pid, e.startedAt.UnixMilli(), queued, duplicate})
}

func (e *execution) notStarted(err error) {
	var unsupported unsupportedError
	if errors.As(err, &unsupported) {
		e.refuse("UNSUPPORTED", err.Error())
		return
	}
	e.finish(exitMessage{Status: "not_started", Message: err.Error()})
}

// refuse answers with an error and forgets the execution.
func (e *execution) refuse(code, message string) {
	e.mutex.Lock()
	c, id := e.client, e.id
	e.mutex.Unlock()
	e.forget()
	if c != nil {
		c.fail(id, code, message)
	}
	close(e.over)
}

func (e *execution) armTimeout() {
	limit := e.message.TimeoutMs
	if limit <= 0 {
		return
	}
	e.mutex.Lock()
	defer e.mutex.Unlock()
	e.timers = append(e.timers, time.AfterFunc(time.Duration(limit)*time.Millisecond, func() {
		e.end("timeout", fmt.Sprintf("the command ran longer than %d ms", limit), e.message.KillGraceMs)
	}))
}

// receive handles the client's frames for this id.
func (e *execution) receive(from *channel, f frame) {
	switch f.kind {
	case typeStdin:
		e.feed(from, f)
	case typeStdinEnd:
		if e.stdin != nil {
			e.stdin.finish()
		}
	case typeCredit:
		e.addCredit(creditOf(f))
	case typeAck:
		e.acknowledge()
	case typeSignal:
		e.onSignal(from, f)
	case typeResize:
		e.resize(f)
	}
}

func (e *execution) addCredit(count int64) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	e.credit += count
	for _, one := range e.streams {
		one.offerLocked()
	}
}

func (e *execution) onSignal(from *channel, f frame) {
	message := signalMessage{Signal: "TERM", Tree: true}
	if err := json.Unmarshal(f.payload, &message); err != nil {
		from.fail(f.id, "PROTOCOL", "signal: "+err.Error())
		return
	}
	if message.Reason == "cancel" {
		go e.end("cancelled", "cancelled by the client", e.message.KillGraceMs)
		return
	}
	number, known := signalNumber(message.Signal)
	if !known {
		return
	}
	go e.signal(number, message.Tree)
}

// overLimit is called when a stream has more than maxBytes.
func (e *execution) overLimit() {
	if e.message.KillAtLimit {
		go e.end("output_limit_killed", "an output stream went beyond maxBytes", 0)
	}
}

func (e *execution) isGivenUp() bool { return e.givenUp }

// giveUpOutput drops what a client does not take in, so that the end can come.
func (e *execution) giveUpOutput() {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	e.givenUp = true
	for _, one := range e.streams {
		one.room.Broadcast()
	}
}

func (e *execution) runs() (pid int, startedAt int64, runs bool) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	return e.pid, e.startedAt.UnixMilli(), e.pid != 0 && e.exit == nil
}
