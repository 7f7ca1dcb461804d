package main

import (
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
