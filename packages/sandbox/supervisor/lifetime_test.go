package main

import (
	"io"
	"os/exec"
	"testing"
)

func TestTheLifetimeEndsTheSupervisorAndItsCommandsWithAChannelOpen(t *testing.T) {
	path, err := supervisorPath()
	if err != nil {
		t.Fatal(err)
	}
	c := dialProgram(t, exec.Command(path, "serve", "--state", stateFolder(t), "--lifetime-ms", "300"))
	c.greet(nil)
	c.start(fields{"script": "sleep 987654"})
	<-c.ended
	until(t, "the end of its command", func() bool { return alive(t, "987654") == 0 })
}

func TestASupervisorThatWaitsForItsLimitsCountsItsTimeFromThen(t *testing.T) {
	path, err := supervisorPath()
	if err != nil {
		t.Fatal(err)
	}
	c := dialProgram(t, exec.Command(path, "serve", "--state", stateFolder(t), "--lifetime-ms", "1", "--await-limits"))
	if _, err := io.WriteString(c.in, `{"orphanMs": 60000, "lifetimeMs": 60000}`+"\n"); err != nil {
		t.Fatal(err)
	}
	c.greet(nil)
	if got := c.script("echo on"); got.stdout != "on\n" {
		t.Fatal(got)
	}
}

func TestASupervisorThatNobodyWantsEndsWithItsInput(t *testing.T) {
	path, err := supervisorPath()
	if err != nil {
		t.Fatal(err)
	}
	c := dialProgram(t, exec.Command(path, "serve", "--state", stateFolder(t), "--await-limits"))
	c.in.Close()
	<-c.ended
}
