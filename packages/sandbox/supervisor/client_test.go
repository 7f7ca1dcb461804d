package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// supervisorPath is the program under test, built once.
var supervisorPath = sync.OnceValues(func() (string, error) {
	path := filepath.Join(os.TempDir(), fmt.Sprintf("hermes-supervisor-test-%d", os.Getpid()))
	build := exec.Command("go", "build", "-o", path, ".")
	if text, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, text)
	}
	return path, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if path, err := supervisorPath(); err == nil {
		os.Remove(path)
	}
	os.Exit(code)
}

// client speaks the protocol to a started supervisor.
type client struct {
	t       *testing.T
	process *exec.Cmd
	in      io.WriteCloser
	text    bool // the fallback's headers

	mutex  sync.Mutex
	nextID uint32
	frames map[uint32]chan frame
	ended  chan struct{}
	once   sync.Once
}

func stateFolder(t *testing.T) string {
	t.Helper()
	folder, err := os.MkdirTemp("", "hs")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	return folder
}

func startSupervisor(t *testing.T, state string, hello map[string]any) *client {
	t.Helper()
	path, err := supervisorPath()
	if err != nil {
		t.Fatal(err)
	}
	c := dialProgram(t, exec.Command(path, "serve", "--state", state, "--orphan-ms", "5000"))
	c.greet(hello)
	return c
}

func dialProgram(t *testing.T, process *exec.Cmd) *client {
	t.Helper()
	return connect(t, process, false)
}

func connect(t *testing.T, process *exec.Cmd, text bool) *client {
	t.Helper()
	c := &client{t: t, text: text, process: process, nextID: 100, frames: map[uint32]chan frame{}, ended: make(chan struct{})}
	in, err := process.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	c.in = in
	process.Stderr = os.Stderr
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	go c.readAll(out)
	t.Cleanup(c.stop)
	return c
}

func (c *client) readAll(out io.Reader) {
	defer close(c.ended)
	next := newFrameReader(out.Read).next
	if c.text {
		next = textReader(out)
	}
	for {
		f, err := next()
		if err != nil {
			return
		}
		f.payload = bytes.Clone(f.payload)
		c.channelOf(f.id) <- f
	}
}

func (c *client) channelOf(id uint32) chan frame {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.frames[id] == nil {
		c.frames[id] = make(chan frame, 100_000)
	}
	return c.frames[id]
}

// stop ends the supervisor, whose trees go with it.
func (c *client) stop() { c.once.Do(c.shutDown) }

func (c *client) shutDown() {
	c.control(typeShutdown, 0, map[string]any{"graceMs": 0})
	select {
	case <-c.ended:
	case <-time.After(20 * time.Second):
		c.t.Error("the supervisor did not end after shutdown")
		c.process.Process.Kill()
	}
	c.in.Close()
	c.process.Wait()
}

func (c *client) greet(hello map[string]any) welcomeMessage {
	c.t.Helper()
	whole := map[string]any{"versions": []int{1}, "token": "secret", "credit": 1 << 20}
	for key, value := range hello {
		whole[key] = value
	}
	c.control(typeHello, 0, whole)
	f := c.next(0)
	var welcome welcomeMessage
	if f.kind != typeWelcome || json.Unmarshal(f.payload, &welcome) != nil {
		c.t.Fatalf("no welcome but %x %s", f.kind, f.payload)
	}
	return welcome
}

func (c *client) control(kind byte, id uint32, message any) {
	payload, err := json.Marshal(message)
	if err != nil {
		c.t.Fatal(err)
	}
	c.raw(kind, id, payload)
}

func (c *client) raw(kind byte, id uint32, payload []byte) {
	if c.text {
		fmt.Fprintf(c.in, "%02x %d %d\n%s", kind, id, len(payload), payload)
		return
	}
	c.in.Write(rawFrame(kind, id, payload))
}

func (c *client) next(id uint32) frame {
	c.t.Helper()
	select {
	case f := <-c.channelOf(id):
		return f
	case <-time.After(30 * time.Second):
		c.t.Fatalf("no frame for id %d", id)
		return frame{}
	}
}

func (c *client) newID() uint32 {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.nextID++
	return c.nextID
}

// fields are what a test adds to the usual start message.
type fields map[string]any

func (c *client) start(more fields) uint32 {
	id := c.newID()
	message := fields{
		"key": fmt.Sprint("key-", id), "env": map[string]string{"PATH": os.Getenv("PATH")}, "stdin": "none",
		"timeoutMs": 20_000, "killGraceMs": 200, "maxBytes": 1 << 20, "keep": "head_tail", "background": "kill",
	}
	for key, value := range more {
		message[key] = value
	}
	c.control(typeStart, id, message)
	return id
}

// result is what came of an execution.
type result struct {
	exitMessage
	stdout, stderr string
	started        *startedMessage
	err            *errorMessage
	gaps           int
}

// wait gathers an execution's frames up to its end.
func (c *client) wait(id uint32) result {
	c.t.Helper()
	r := result{}
	ends := map[byte]uint64{}
	for {
		f := c.next(id)
		switch f.kind {
		case typeStarted:
			c.decode(f, &r.started)
		case typeStdout, typeStderr:
			at, data := c.splitData(f)
			if at != ends[f.kind] {
				r.gaps++
			}
			ends[f.kind] = at + uint64(len(data))
			if f.kind == typeStdout {
				r.stdout += string(data)
			} else {
				r.stderr += string(data)
			}
			if !c.text {
				c.raw(typeCredit, id, binary.BigEndian.AppendUint32(nil, uint32(len(data))))
			}
		case typeExit:
			c.decode(f, &r.exitMessage)
			c.raw(typeAck, id, nil)
			return r
		case typeError:
			c.decode(f, &r.err)
			return r
		}
	}
}

func (c *client) splitData(f frame) (uint64, []byte) {
	if !c.text {
		return binary.BigEndian.Uint64(f.payload), f.payload[8:]
	}
	var at uint64
	if _, err := fmt.Sscanf(string(f.payload[:20]), "%d", &at); err != nil {
		c.t.Fatal(err)
	}
	return at, f.payload[20:]
}

func (c *client) decode(f frame, into any) {
	c.t.Helper()
	if err := json.Unmarshal(f.payload, into); err != nil {
		c.t.Fatalf("frame %x: %v in %s", f.kind, err, f.payload)
	}
}

func (c *client) run(more fields) result {
	c.t.Helper()
	return c.wait(c.start(more))
}

func (c *client) script(text string) result {
	c.t.Helper()
	return c.run(fields{"script": text})
}

func (r result) expect(t *testing.T, status string, code int) {
	t.Helper()
	got := -1
	if r.Code != nil {
		got = *r.Code
	}
	if r.Status != status || got != code {
		t.Fatalf("%s %d (%s), not %s %d; stdout %.200q, stderr %.200q, error %v", r.Status, got, r.Message, status, code, r.stdout, r.stderr, r.err)
	}
}

// alive counts the processes whose command line holds the text.
func alive(t *testing.T, text string) int {
	t.Helper()
	found := 0
	for pid, one := range listProcesses() {
		line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if err == nil && !one.isDead() && strings.Contains(strings.ReplaceAll(string(line), "\x00", " "), text) {
			found++
		}
	}
	return found
}

// until waits for a condition that another process brings about.
func until(t *testing.T, what string, condition func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !condition(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("this did not come: " + what)
		}
	}
}
