package main

import (
	"encoding/json"
	"runtime"
	"slices"
	"strings"
)

const version = "go/0.1.0"

const (
	receiveCredit = 4 << 20  // what a client may send per id before it waits
	maxScript     = 64 << 20 // a script that came in parts
)

var features = []string{"tty", "resize", "credit", "files", "subreaper", "reconnect", "sessions", "usage", "crc32"}

// handle acts on one frame; false ends the channel.
func (c *channel) handle(f frame) bool {
	if c.credit == 0 {
		return c.greet(f)
	}
	switch f.kind {
	case typePing:
		c.send(rawFrame(typePong, 0, f.payload))
	case typePong, typeHello:
	case typeScript:
		c.addScript(f)
	case typeStart:
		c.start(f)
	case typeSessionOpen:
		c.openSession(f)
	case typeFilePut, typeFileGet, typeFileOp:
		c.startFile(f)
	case typeUsage:
		c.send(jsonFrame(typeUsageReply, f.id, c.server.usage()))
	case typeShutdown:
		c.shutdown(f)
	default:
		if known := c.endpoint(f.id); known != nil {
			known.receive(c, f)
		}
	}
	return true
}

// greet checks version and token of the first frame.
func (c *channel) greet(f frame) bool {
	var hello helloMessage
	if f.kind != typeHello || json.Unmarshal(f.payload, &hello) != nil || !slices.Contains(hello.Versions, 1) {
		c.fail(0, "PROTOCOL", "the first frame is a hello, and this program speaks version 1")
		c.flushAndClose()
		return false
	}
	if !c.server.admit(hello.Token) {
		c.fail(0, "AUTH", "the token is not the one of this supervisor's first channel")
		c.flushAndClose()
		return false
	}
	c.credit = hello.Credit
	if c.credit <= 0 {
		c.credit = 1 << 20
	}
	c.resume = hello.Resume
	c.send(jsonFrame(typeWelcome, 0, c.server.welcome()))
	return true
}

func (s *server) welcome() welcomeMessage {
	return welcomeMessage{
		Version: 1, Supervisor: version, OS: runtime.GOOS, Arch: runtime.GOARCH,
		Boot: s.boot, Pid: s.pid, UID: s.uid, Features: ownFeatures(),
		Running: s.running(), Credit: receiveCredit,
	}
}

// ownFeatures: other users only where we may act as them.
func ownFeatures() []string {
	const nobody = 65534
	if canSwitch(nobody) {
		return append(slices.Clone(features), "users")
	}
	return features
}

// addScript gathers a script that is too long for one frame.
func (c *channel) addScript(f frame) {
	if len(c.scripts[f.id])+len(f.payload) > maxScript {
		delete(c.scripts, f.id)
		c.fail(f.id, "PROTOCOL", "a script is longer than 64 MiB")
		return
	}
	c.scripts[f.id] = append(c.scripts[f.id], f.payload...)
}

func (c *channel) start(f frame) {
	var message startMessage
	if err := json.Unmarshal(f.payload, &message); err != nil {
		c.fail(f.id, "PROTOCOL", "start: "+err.Error())
		return
	}
	if message.ScriptParts {
		script := string(c.scripts[f.id])
		message.Script = &script
		delete(c.scripts, f.id)
	}
	if problem := message.problem(); problem != "" {
		c.fail(f.id, "PROTOCOL", "start: "+problem)
		return
	}
	c.server.start(c, f.id, message)
}

func (m *startMessage) problem() string {
	if m.Key == "" {
		return "key is missing"
	}
	if (m.Script == nil) == (len(m.Argv) == 0) {
		return "exactly one of argv and script is needed"
	}
	for _, one := range m.Argv {
		if strings.IndexByte(one, 0) >= 0 {
			return "argv holds a NUL byte"
		}
	}
	return ""
}

func (c *channel) shutdown(f frame) {
	var message shutdownMessage
	if json.Unmarshal(f.payload, &message) != nil {
		message.GraceMs = 2000
	}
	go c.server.shutdown(message.GraceMs)
}
