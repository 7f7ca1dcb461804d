package main

import (
	"runtime"
	"syscall"
	"time"
)

const (
	defaultDrain     = 2000
	defaultDrainIdle = 250
	unkillableAfter  = 10 * time.Second
	secondDrain      = 500 * time.Millisecond
	secondDrainIdle  = 50 * time.Millisecond
)

// awaitLeader waits for the leader; false when it outlived even KILL.
func (e *execution) awaitLeader() (ended, bool) {
	select {
	case <-e.gone:
		return e.how, true
	case <-e.stuck:
		return ended{at: time.Now()}, false
	}
}

// conclude drains, ends what is left of the tree, and reports.
func (e *execution) conclude(at time.Time, done chan struct{}, describe func() exitMessage) {
	e.stopTimers()
	open := e.drain(done, millis(e.message.DrainIdleMs, defaultDrainIdle), millis(e.message.DrainMs, defaultDrain))
	killed := 0
	if e.killsLeftovers() {
		killed = e.tree.killAll()
	}
	e.settle(open, killed > 0 || e.killsLeftovers(), done)
	message := describe()
	message.Leftover = leftoverMessage{len(open) > 0, killed}
	message.WallMs = at.Sub(e.startedAt).Milliseconds()
	if e.session != nil {
		e.session.free()
	}
	if e.killsLeftovers() || e.tree.isClearlyEmpty() {
		e.server.trees.remove(e.tree)
	}
	e.finish(message)
}

func millis(value *int64, fallback int64) time.Duration {
	if value != nil {
		fallback = *value
	}
	return time.Duration(fallback) * time.Millisecond
}

func (e *execution) stopTimers() {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	for _, one := range e.timers {
		one.Stop()
	}
}

// killsLeftovers is false only for a command that ended by itself and whose
// children may live on.
func (e *execution) killsLeftovers() bool {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	return e.cause != "" || e.message.Background != "adopt"
}

// drain waits for the streams' ends and gives those that were still open.
func (e *execution) drain(done chan struct{}, idle, limit time.Duration) []*stream {
	runtime.Gosched() // most pipes end with the leader, and need no deadline
	if len(done) < len(e.streams) {
		for _, one := range e.streams {
			one.drainUntil(idle, time.Now().Add(limit))
		}
	}
	for range e.streams {
		<-done
	}
	return e.openStreams()
}

func (e *execution) openStreams() []*stream {
	list := []*stream{}
	for _, one := range e.streams {
		if !one.ended {
			list = append(list, one)
		}
	}
	return list
}

// settle reads the rest of the open streams after a kill, or lets those that
// live on write into nothing.
func (e *execution) settle(open []*stream, killed bool, done chan struct{}) {
	if killed && len(open) > 0 {
		for _, one := range open {
			one.drainUntil(secondDrainIdle, time.Now().Add(secondDrain))
			go one.pump(done)
		}
		for range open {
			<-done
		}
	}
	reused := e.session != nil && len(e.openStreams()) == 0
	if e.session != nil {
		e.session.fifos.reuse(reused)
	}
	for _, one := range e.streams {
		if !one.ended {
			go one.swallow()
		} else if !reused {
			one.file.Close()
		}
	}
}

// describe turns the wait status and the cause into the exit's fields.
func (e *execution) describe(how ended, ok bool) exitMessage {
	e.mutex.Lock()
	cause, reason := e.cause, e.reason
	e.mutex.Unlock()
	message := exitMessage{Status: cause, Message: reason}
	if !ok {
		message.Message += "; it could not be killed and was left behind"
		return message
	}
	message.Usage = usageOf(how.usage)
	if how.status.Signaled() {
		name := signalName(how.status.Signal())
		message.Signal = &name
	}
	if cause == "" {
		message.Status = "exited"
		if how.status.Signaled() {
			message.Status = "signaled"
		}
	}
	if message.Status == "exited" {
		code := how.status.ExitStatus()
		message.Code = &code
	}
	return message
}

// finish fixes the result. It is sent once the output before it is.
func (e *execution) finish(message exitMessage) {
	for _, clean := range e.cleanUp {
		clean()
	}
	if e.stdin != nil {
		e.stdin.close()
	}
	e.mutex.Lock()
	for _, one := range e.streams {
		one.dropNoticeLocked()
		one.finished = true
		if one.kind == typeStdout {
			message.Stdout = one.count()
		} else {
			message.Stderr = one.count()
		}
		one.offerLocked()
	}
	e.exit, e.endedAt = &message, time.Now()
	e.reportLocked()
	e.mutex.Unlock()
	close(e.over)
	e.server.recordLater()
	e.server.trimFinished()
}

// reportLocked sends the exit frame once, behind all output.
func (e *execution) reportLocked() {
	if e.exit == nil || e.reported || e.client == nil {
		return
	}
	for _, one := range e.streams {
		if !one.isDone() {
			return
		}
	}
	e.reported = true
	e.client.send(append(e.takeStartedLocked(false), jsonFrame(typeExit, e.id, e.exit)...))
}

// end stops the tree for a cause: TERM, grace, KILL. The first cause counts.
// What ended by itself keeps its own status; only what it left is killed.
func (e *execution) end(cause, reason string, graceMs int64) {
	e.mutex.Lock()
	if e.cause != "" || e.exit != nil {
		e.mutex.Unlock()
		return
	}
	if !e.leaderIsGone() {
		e.cause, e.reason = cause, reason
	}
	started := e.pid != 0
	e.mutex.Unlock()
	if started {
		e.terminate(time.Duration(graceMs) * time.Millisecond)
	}
}

func (e *execution) leaderIsGone() bool {
	select {
	case <-e.gone:
		return true
	default:
		return false
	}
}

// endIfAlreadyAsked serves a cancel that came before the start was done.
func (e *execution) endIfAlreadyAsked() {
	e.mutex.Lock()
	asked := e.cause != ""
	e.mutex.Unlock()
	if asked {
		go e.terminate(time.Duration(e.message.KillGraceMs) * time.Millisecond)
	}
}

func (e *execution) terminate(grace time.Duration) {
	if e.shell != nil {
		e.hush()
		e.shell.interrupt(e.reportLines())
	}
	if grace > 0 {
		e.tree.signalAll(syscall.SIGTERM)
		if e.waitEnded(grace) {
			return
		}
	}
	e.tree.killAll()
	if e.shell != nil && !e.waitEnded(shellEndsAfter) {
		e.shell.end()
	}
	time.AfterFunc(unkillableAfter, func() { e.giveUpLeader.Do(func() { close(e.stuck) }) })
}

func (e *execution) waitEnded(limit time.Duration) bool {
	select {
	case <-e.over:
		return true
	case <-time.After(limit):
		return false
	}
}
