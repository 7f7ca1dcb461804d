package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

func TestAResultCarriesStatusCodeAndSignal(t *testing.T) {
	c := startSupervisor(t, stateFolder(t), nil)
	for script, code := range map[string]int{"true": 0, "exit 1": 1, "exit 42": 42, "exit 255": 255, "exit 300": 44} {
		c.script(script).expect(t, "exited", code)
	}
	r := c.script("kill -9 $$")
	if r.expect(t, "signaled", -1); r.Signal == nil || *r.Signal != "SIGKILL" {
		t.Fatalf("signal %v", r.Signal)
	}
}

func TestWhatCannotBeStartedIsNotStarted(t *testing.T) {
	c := startSupervisor(t, stateFolder(t), nil)
	folder := t.TempDir()
	notExecutable := folder + "/plain"
	if err := os.WriteFile(notExecutable, []byte("text"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, more := range map[string]fields{
		"a missing command":   {"argv": []string{"no-such-program"}},
		"a missing path":      {"argv": []string{"/no/such"}},
		"a file without x":    {"argv": []string{notExecutable}},
		"a missing directory": {"argv": []string{"true"}, "cwd": "/no/such"},
		"a file as directory": {"argv": []string{"true"}, "cwd": notExecutable},
		"an unknown user":     {"argv": []string{"true"}, "user": "nobody-of-that-name"},
	} {
		r := c.run(more)
		if r.Status != "not_started" || r.Message == "" || r.started != nil {
			t.Errorf("%s: %s %q started %v", name, r.Status, r.Message, r.started)
		}
	}
}

func TestOutputsStayApartOrAreMerged(t *testing.T) {
	c := startSupervisor(t, stateFolder(t), nil)
	script := "echo out; echo err >&2; echo out"
	if r := c.script(script); r.stdout != "out\nout\n" || r.stderr != "err\n" {
		t.Fatalf("%q %q", r.stdout, r.stderr)
	}
	if r := c.run(fields{"script": script, "merge": true}); r.stdout != "out\nerr\nout\n" || r.Stdout.Total != 12 {
		t.Fatalf("%q %+v", r.stdout, r.Stdout)
	}
}

func TestOutputBeyondTheCapIsCountedAndBothEndsAreKept(t *testing.T) {
	c := startSupervisor(t, stateFolder(t), nil)
	script := "echo first; head -c 20000000 /dev/zero; echo last"
	for keep, check := range map[string]func(string) bool{
		"head_tail": func(s string) bool { return strings.HasPrefix(s, "first\n") && strings.HasSuffix(s, "last\n") },
		"head":      func(s string) bool { return strings.HasPrefix(s, "first\n") && !strings.HasSuffix(s, "last\n") },
		"tail":      func(s string) bool { return !strings.HasPrefix(s, "first\n") && strings.HasSuffix(s, "last\n") },
	} {
		for _, limit := range []int{1 << 20, 100_001, 1} {
			r := c.run(fields{"script": script, "keep": keep, "maxBytes": limit})
			if limit > 10 && !check(r.stdout) || len(r.stdout) != limit {
				t.Errorf("%s %d: %d bytes", keep, limit, len(r.stdout))
			}
			if r.Stdout.Total != 20_000_011 || r.Stdout.Dropped != 20_000_011-int64(limit) {
				t.Errorf("%s %d: %+v", keep, limit, r.Stdout)
			}
		}
	}
	if r := c.run(fields{"script": script, "maxBytes": 0}); r.stdout != "" || r.Stdout.Dropped != 20_000_011 {
		t.Errorf("cap 0: %q %+v", r.stdout, r.Stdout)
	}
}

func TestAStreamIsWholeAndHeldBackByCredit(t *testing.T) {
	c := startSupervisor(t, stateFolder(t), fields{"credit": 100_000})
	id := c.start(fields{"script": "seq 1 2000000", "maxBytes": int64(1) << 50, "keep": "head"})
	if r := c.script("echo not blocked"); r.stdout != "not blocked\n" {
		t.Fatalf("%q", r.stdout)
	}
	if r := c.wait(id); r.Stdout.Total != 14888896 || int64(len(r.stdout)) != r.Stdout.Total || r.gaps != 0 || !strings.HasSuffix(r.stdout, "\n2000000\n") {
		t.Fatalf("%+v, %d bytes, %d gaps", r.Stdout, len(r.stdout), r.gaps)
	}
}

func TestTheOutputLimitKillsOnlyWhenAsked(t *testing.T) {
	c := startSupervisor(t, stateFolder(t), nil)
	r := c.run(fields{"script": "yes", "killAtLimit": true, "maxBytes": 1000})
	r.expect(t, "output_limit_killed", -1)
}

func TestStdinReachesTheCommandWholeAndEnds(t *testing.T) {
	c := startSupervisor(t, stateFolder(t), nil)
	id := c.start(fields{"argv": []string{"wc", "-c"}, "stdin": "open"})
	piece := bytes.Repeat([]byte("x"), 60_000)
	for range 10 {
		c.raw(typeStdin, id, piece)
	}
	c.raw(typeStdinEnd, id, nil)
	if r := c.wait(id); strings.TrimSpace(r.stdout) != "600000" {
		t.Fatalf("%q", r.stdout)
	}
	if r := c.run(fields{"argv": []string{"cat"}}); r.stdout != "" {
		t.Fatalf("without stdin: %q", r.stdout)
	}
}

func TestACommandThatReadsNoStdinStillEnds(t *testing.T) {
	c := startSupervisor(t, stateFolder(t), nil)
	id := c.start(fields{"argv": []string{"true"}, "stdin": "open"})
	for range 15 {
		c.raw(typeStdin, id, make([]byte, 60_000))
	}
	c.wait(id).expect(t, "exited", 0)
}

func TestATimeoutKeepsOutputAndEndsTheWholeTree(t *testing.T) {
	c := startSupervisor(t, stateFolder(t), nil)
	mark := fmt.Sprintf("sleep 7%d", time.Now().UnixNano()%1_000_000_000)
	script := `trap "" TERM; echo part
(setsid sh -c 'trap "" TERM; ` + mark + `' &)
(env -i setsid sh -c '(` + mark + ` &) &' &)
(sh -c 'exec ` + mark + `' >/dev/null 2>&1 </dev/null &)
` + mark
	r := c.run(fields{"script": script, "timeoutMs": 300})
	if r.expect(t, "timeout", -1); r.stdout != "part\n" {
		t.Fatalf("%q", r.stdout)
	}
	if left := alive(t, mark); left != 0 {
		t.Fatalf("%d processes are left", left)
	}
	c.script("true").expect(t, "exited", 0)
}

func TestAForkBombIsKilled(t *testing.T) {
	c := startSupervisor(t, stateFolder(t), nil)
	mark := fmt.Sprintf("bomb%d", time.Now().UnixNano())
	folder := t.TempDir()
	bomb := fmt.Sprintf("#!/bin/sh\n[ $(ls /proc | grep -c '^[0-9]') -gt 800 ] && exit\n%[1]s/%[2]s & %[1]s/%[2]s & wait\n", folder, mark)
	if err := os.WriteFile(folder+"/"+mark, []byte(bomb), 0o755); err != nil {
		t.Fatal(err)
	}
	r := c.run(fields{"argv": []string{folder + "/" + mark}, "timeoutMs": 500, "killGraceMs": 0})
	if r.Status != "timeout" && r.Status != "exited" {
		t.Fatalf("%s %s", r.Status, r.Message)
	}
	if left := alive(t, mark); left != 0 {
		t.Fatalf("%d processes are left", left)
	}
}

func TestACancelEndsTheCommandAndASignalOnlyInformsIt(t *testing.T) {
	c := startSupervisor(t, stateFolder(t), nil)
	id := c.start(fields{"script": "echo ready; exec sleep 100"})
	c.next(id)
	c.next(id)
	c.control(typeSignal, id, fields{"reason": "cancel"})
	c.wait(id).expect(t, "cancelled", -1)

	id = c.start(fields{"script": "trap 'echo got; exit 7' USR1; echo ready; while :; do sleep 0.01; done"})
	c.next(id)
	c.next(id)
	c.control(typeSignal, id, fields{"signal": "SIGUSR1", "tree": false})
	r := c.wait(id)
	if r.expect(t, "exited", 7); !strings.HasSuffix(r.stdout, "got\n") {
		t.Fatalf("%q", r.stdout)
	}
}

func TestACancelRightAfterTheStartIsNotLost(t *testing.T) {
	c := startSupervisor(t, stateFolder(t), nil)
	for range 20 {
		id := c.start(fields{"argv": []string{"sleep", "100"}})
		c.control(typeSignal, id, fields{"reason": "cancel"})
		c.wait(id).expect(t, "cancelled", -1)
	}
}

func TestBackgroundProcessesAreKilledOrAdopted(t *testing.T) {
	c := startSupervisor(t, stateFolder(t), nil)
	mark := fmt.Sprintf("sleep 6%d", time.Now().UnixNano()%1_000_000_000)
	service := mark + " >/dev/null 2>&1 </dev/null & disown; echo up"
	r := c.run(fields{"script": service})
	if r.expect(t, "exited", 0); r.Leftover.KilledPids != 1 || alive(t, mark) != 0 {
		t.Fatalf("%+v, %d alive", r.Leftover, alive(t, mark))
	}
	r = c.run(fields{"script": service, "background": "adopt"})
	if r.expect(t, "exited", 0); r.Leftover.PipesOpen {
		t.Fatalf("%+v", r.Leftover)
	}
	until(t, "the adopted process", func() bool { return alive(t, mark) == 1 }) // its fork may outrun its exec
	if c.script("true").expect(t, "exited", 0); alive(t, mark) != 1 {
		t.Fatal("another command's end killed an adopted process")
	}
	r = c.run(fields{"script": mark + " & echo up", "background": "adopt", "drainIdleMs": 50})
	if !r.Leftover.PipesOpen || r.stdout != "up\n" {
		t.Fatalf("%+v %q", r.Leftover, r.stdout)
	}
}

func TestEnvironmentAndDescriptorsAreTheCommandsOwn(t *testing.T) {
	c := startSupervisor(t, stateFolder(t), nil)
	value := "a=b \"quoted\"\nnew line 'single' é"
	r := c.run(fields{"argv": []string{"/usr/bin/env", "-0"}, "env": map[string]string{"ODD": value}})
	entries := strings.Split(strings.TrimSuffix(r.stdout, "\x00"), "\x00")
	if len(entries) != 2 || entries[0] != "ODD="+value || !strings.HasPrefix(entries[1], "HERMES_EXEC=") {
		t.Fatalf("%q", entries)
	}
	r = c.script("for fd in /proc/self/fd/*; do echo ${fd##*/}; done; cat /proc/self/status | grep -E 'Sig(Ign|Blk)'")
	if !strings.Contains(r.stdout, "SigBlk:\t0000000000000000") || !strings.Contains(r.stdout, "SigIgn:\t0000000000000000") {
		t.Fatalf("signals: %q", r.stdout)
	}
	r = c.run(fields{"argv": []string{"ls", "/proc/self/fd"}})
	if r.stdout != "0\n1\n2\n3\n" { // 3 is the listing itself
		t.Fatalf("descriptors: %q", r.stdout)
	}
}

func TestALongScriptComesInParts(t *testing.T) {
	c := startSupervisor(t, stateFolder(t), nil)
	id := c.newID()
	script := "cat <<'END' | wc -c\n" + strings.Repeat(strings.Repeat("y", 99)+"\n", 20_000) + "END\n"
	for rest := script; rest != ""; {
		piece := rest[:min(len(rest), dataChunk)]
		c.raw(typeScript, id, []byte(piece))
		rest = rest[len(piece):]
	}
	c.control(typeStart, id, fields{"key": "long", "scriptParts": true, "stdin": "none", "maxBytes": 100, "timeoutMs": 20000, "env": fields{"PATH": os.Getenv("PATH")}})
	if r := c.wait(id); strings.TrimSpace(r.stdout) != "2000000" {
		t.Fatalf("%q %q", r.stdout, r.stderr)
	}
}

func TestManyCommandsRunAtOnce(t *testing.T) {
	c := startSupervisor(t, stateFolder(t), nil)
	stuck := c.start(fields{"script": "sleep 100"})
	ids := []uint32{}
	for at := range 500 {
		ids = append(ids, c.start(fields{"argv": []string{"echo", fmt.Sprint(at)}}))
	}
	for at, id := range ids {
		if r := c.wait(id); r.stdout != fmt.Sprintln(at) {
			t.Fatalf("%d: %q %+v", at, r.stdout, r.exitMessage)
		}
	}
	c.control(typeSignal, stuck, fields{"reason": "cancel"})
	c.wait(stuck).expect(t, "cancelled", -1)
}

func TestATerminalIsOneStreamWithASize(t *testing.T) {
	c := startSupervisor(t, stateFolder(t), nil)
	id := c.start(fields{"script": "stty size; read line; echo got $line; stty size; tty", "stdin": "open", "tty": fields{"cols": 91, "rows": 33}})
	text := ""
	for !strings.Contains(text, "33 91") {
		if f := c.next(id); f.kind == typeStdout {
			text += string(f.payload[8:])
		}
	}
	c.control(typeResize, id, fields{"cols": 100, "rows": 40})
	c.raw(typeStdin, id, []byte("hello\n"))
	r := c.wait(id)
	if r.expect(t, "exited", 0); !strings.Contains(r.stdout, "got hello") || !strings.Contains(r.stdout, "40 100") || !strings.Contains(r.stdout, "/dev/pts/") {
		t.Fatalf("%q", r.stdout)
	}
}

func TestACommandRunsAsAnotherUserWhenWeAreRoot(t *testing.T) {
	c := startSupervisor(t, stateFolder(t), nil)
	r := c.run(fields{"script": "id -un; id -gn", "user": "nobody"})
	if os.Getuid() != 0 {
		if r.err == nil || r.err.Code != "UNSUPPORTED" {
			t.Fatalf("%+v", r)
		}
		return
	}
	if r.stdout != "nobody\nnogroup\n" {
		t.Fatalf("%q %q %s", r.stdout, r.stderr, r.Message)
	}
}

func TestUsageIsReported(t *testing.T) {
	c := startSupervisor(t, stateFolder(t), nil)
	r := c.script("i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done")
	if r.Usage == nil || *r.Usage.CPUSeconds <= 0 || *r.Usage.PeakMemoryBytes < 1<<20 {
		t.Fatalf("%+v", r.Usage)
	}
	id := c.newID()
	c.control(typeUsage, id, fields{})
	var usage usageMessage
	c.decode(c.next(id), &usage)
	if usage.CPUSeconds == nil || *usage.CPUSeconds < *r.Usage.CPUSeconds {
		t.Fatalf("%+v", usage)
	}
}
