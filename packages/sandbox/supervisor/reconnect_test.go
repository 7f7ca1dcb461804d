package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// drop ends a client's channel without a word.
func (c *client) drop() {
	c.in.Close()
	<-c.ended
}

func TestASecondProgramLendsItsChannelToTheFirst(t *testing.T) {
	state := stateFolder(t)
	first := startSupervisor(t, state, nil)
	second := startSupervisor(t, state, nil)
	second.script("true").expect(t, "exited", 0)
	first.script("true").expect(t, "exited", 0)
	second.drop()
	if err := second.process.Wait(); err != nil {
		t.Fatal("the lender did not end with its channel: ", err)
	}
	first.script("true").expect(t, "exited", 0)
}

func TestACommandOutlivesItsChannelAndIsTakenUpByKey(t *testing.T) {
	state := stateFolder(t)
	first := startSupervisor(t, state, nil)
	if err := exec.Command("mkfifo", state+"/go").Run(); err != nil {
		t.Fatal(err)
	}
	id := first.start(fields{"key": "long", "script": "echo one; read x <" + state + "/go; echo two; exit 5"})
	first.next(id)
	first.next(id)
	first.drop()
	second := startSupervisor(t, state, fields{"resume": fields{"long": fields{"stdout": 2, "stderr": 0}}})
	again := second.start(fields{"key": "long", "script": "echo never"})
	if err := os.WriteFile(state+"/go", []byte("\n"), 0); err != nil {
		t.Fatal(err)
	}
	r := second.wait(again)
	if r.expect(t, "exited", 5); !r.started.Duplicate || r.stdout != "e\ntwo\n" {
		t.Fatalf("%+v %q", r.started, r.stdout)
	}
	if fresh := second.run(fields{"key": "long", "script": "echo new"}); fresh.stdout != "new\n" {
		t.Fatalf("an acknowledged key was not forgotten: %q", fresh.stdout)
	}
}

func TestAResultWaitsForItsClient(t *testing.T) {
	state := stateFolder(t)
	first := startSupervisor(t, state, nil)
	id := first.start(fields{"key": "short", "script": "echo kept; exit 3"})
	first.next(id)
	until(t, "the record", func() bool {
		entries, _ := os.ReadDir(state)
		for _, entry := range entries {
			if text, err := os.ReadFile(state + "/" + entry.Name()); err == nil && json.Valid(text) && len(text) > 20 {
				return true
			}
		}
		return false
	})
	first.drop()
	second := startSupervisor(t, state, nil)
	r := second.run(fields{"key": "short", "script": "echo never"})
	if r.expect(t, "exited", 3); r.stdout != "kept\n" {
		t.Fatalf("%q", r.stdout)
	}
}

func TestAClientWhoseCommandAnotherOneTakesOverIsToldSo(t *testing.T) {
	state := stateFolder(t)
	first := startSupervisor(t, state, nil)
	id := first.start(fields{"key": "one", "script": "echo up; sleep 100"})
	first.next(id)
	second := startSupervisor(t, state, nil)
	taken := second.start(fields{"key": "one", "script": "echo never"})
	for f := first.next(id); ; f = first.next(id) {
		if f.kind == typeError && strings.Contains(string(f.payload), `"TAKEN_OVER"`) {
			break
		}
		if f.kind == typeExit {
			t.Fatalf("%s", f.payload)
		}
	}
	second.control(typeSignal, taken, fields{"reason": "cancel"})
	second.wait(taken).expect(t, "cancelled", -1)
}

func TestAWrongTokenIsRefused(t *testing.T) {
	state := stateFolder(t)
	startSupervisor(t, state, nil)
	path, err := supervisorPath()
	if err != nil {
		t.Fatal(err)
	}
	thief := exec.Command(path, "serve", "--state", state)
	in, _ := thief.StdinPipe()
	out, _ := thief.StdoutPipe()
	if err := thief.Start(); err != nil {
		t.Fatal(err)
	}
	in.Write(jsonFrame(typeHello, 0, fields{"versions": []int{1}, "token": "guess"}))
	text, _ := io.ReadAll(out)
	f, err := newFrameReader(func(into []byte) (int, error) { return copy(into, text), nil }).next()
	if err != nil || f.kind != typeError || !json.Valid(f.payload) {
		t.Fatalf("%x %s %v", f.kind, f.payload, err)
	}
	if err := thief.Wait(); err != nil {
		t.Fatal(err)
	}
}

func TestAnUnknownVersionIsRefused(t *testing.T) {
	path, err := supervisorPath()
	if err != nil {
		t.Fatal(err)
	}
	program := exec.Command(path, "serve", "--state", stateFolder(t), "--orphan-ms", "100")
	in, _ := program.StdinPipe()
	out, _ := program.StdoutPipe()
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	in.Write(jsonFrame(typeHello, 0, fields{"versions": []int{9}}))
	reader := newFrameReader(out.Read)
	if f, err := reader.next(); err != nil || f.kind != typeError {
		t.Fatalf("%x %s %v", f.kind, f.payload, err)
	}
	if err := program.Wait(); err != nil {
		t.Fatal(err)
	}
}

func TestWithoutAChannelTheSupervisorEndsWithAllItStarted(t *testing.T) {
	path, err := supervisorPath()
	if err != nil {
		t.Fatal(err)
	}
	state := stateFolder(t)
	c := dialProgram(t, exec.Command(path, "serve", "--state", state, "--orphan-ms", "200"))
	c.greet(nil)
	mark := fmt.Sprintf("sleep 5%d", time.Now().UnixNano()%1_000_000_000)
	id := c.start(fields{"script": "setsid " + mark + " & echo up; " + mark})
	c.next(id)
	c.next(id)
	c.drop()
	c.process.Wait()
	if left := alive(t, mark); left != 0 {
		t.Fatalf("%d processes are left", left)
	}
	if _, err := os.Stat(state); !os.IsNotExist(err) {
		t.Fatal("the state folder is left")
	}
}

func TestShutdownReportsWhatItEnds(t *testing.T) {
	c := startSupervisor(t, stateFolder(t), nil)
	id := c.start(fields{"script": "trap 'exit 9' TERM; echo up; sleep 100 & wait"})
	c.next(id)
	c.next(id)
	c.control(typeShutdown, 0, fields{"graceMs": 1000})
	c.wait(id).expect(t, "cancelled", -1)
	<-c.ended
}

func TestPingsAreEchoed(t *testing.T) {
	c := startSupervisor(t, stateFolder(t), nil)
	c.raw(typePing, 0, []byte("12345678"))
	if f := c.next(0); f.kind != typePong || string(f.payload) != "12345678" {
		t.Fatalf("%x %q", f.kind, f.payload)
	}
}

func TestAStaleSocketIsReplaced(t *testing.T) {
	state := stateFolder(t)
	c := startSupervisor(t, state, nil)
	if err := c.process.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-c.ended
	startSupervisor(t, state, nil).script("true").expect(t, "exited", 0)
}
