package main

import (
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// joinAs runs a joiner and gives the first frame that it answers a hello with.
func joinAs(t *testing.T, state string, pid int) (frame, string) {
	t.Helper()
	path, err := supervisorPath()
	if err != nil {
		t.Fatal(err)
	}
	joiner := exec.Command(path, "serve", "--state", state, "--expect-pid", fmt.Sprint(pid))
	input, err := joiner.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	output, err := joiner.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	joiner.Stderr = &said
	if err := joiner.Start(); err != nil {
		t.Fatal(err)
	}
	hello := fields{"versions": []int{1}, "token": "secret", "credit": 1 << 20}
	if _, err := input.Write(jsonFrame(typeHello, 0, hello)); err != nil {
		t.Fatal(err)
	}
	answer, err := newFrameReader(output.Read).next()
	if err != nil {
		t.Fatal(err, said.String())
	}
	answer.payload = append([]byte(nil), answer.payload...)
	input.Close()
	io.Copy(io.Discard, output)
	joiner.Wait()
	return answer, said.String()
}

func TestAJoinerAcceptsTheExpectedSupervisor(t *testing.T) {
	state := stateFolder(t)
	first := startSupervisor(t, state, fields{"token": "secret"})
	answer, said := joinAs(t, state, first.process.Process.Pid)
	if answer.kind != typeWelcome {
		t.Fatalf("%x %s %s", answer.kind, answer.payload, said)
	}
}

func TestAJoinerRefusesASocketThatAnotherProcessPutInPlace(t *testing.T) {
	state := stateFolder(t)
	first := startSupervisor(t, state, fields{"token": "secret"})
	if err := os.Remove(state + "/sock"); err != nil {
		t.Fatal(err)
	}
	fake, err := net.Listen("unix", state+"/sock")
	if err != nil {
		t.Fatal(err)
	}
	defer fake.Close()
	stolen := make(chan error, 1)
	go func() {
		connection, err := fake.Accept()
		if err == nil {
			_, err = connection.Read(make([]byte, 1))
		}
		stolen <- err
	}()
	answer, said := joinAs(t, state, first.process.Process.Pid)
	if answer.kind != typeError || !strings.Contains(string(answer.payload), `"AUTH"`) || !strings.Contains(said, fmt.Sprint(os.Getpid())) {
		t.Fatalf("%x %s %s", answer.kind, answer.payload, said)
	}
	if err := <-stolen; err != io.EOF {
		t.Fatal("the fake got the channel: ", err)
	}
}

func TestAJoinerNeverBecomesTheSupervisor(t *testing.T) {
	answer, said := joinAs(t, stateFolder(t), 4711)
	if answer.kind != typeError || !strings.Contains(string(answer.payload), `"GONE"`) {
		t.Fatalf("%x %s %s", answer.kind, answer.payload, said)
	}
}
