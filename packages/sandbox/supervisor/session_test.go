package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// openShell opens a session and gives a function that runs a script in it.
func openShell(t *testing.T, c *client, shell string) (uint32, func(string, fields) result) {
	t.Helper()
	id := c.newID()
	c.control(typeSessionOpen, id, fields{"shell": shell, "cwd": "/tmp", "env": fields{"PATH": os.Getenv("PATH"), "GIVEN": "1"}})
	if f := c.next(id); f.kind != typeSessionReady {
		t.Fatalf("%x %s", f.kind, f.payload)
	}
	return id, func(script string, more fields) result {
		t.Helper()
		all := fields{"session": id, "script": script, "env": fields{}, "background": "adopt"}
		for key, value := range more {
			all[key] = value
		}
		return c.run(all)
	}
}

func eachShell(t *testing.T, test func(*testing.T, *client, func(string, fields) result)) {
	for _, shell := range []string{"bash", "sh"} {
		t.Run(shell, func(t *testing.T) {
			c := startSupervisor(t, stateFolder(t), nil)
			_, run := openShell(t, c, shell)
			test(t, c, run)
		})
	}
}

func TestASessionKeepsDirectoryVariablesAndFunctions(t *testing.T) {
	eachShell(t, func(t *testing.T, c *client, run func(string, fields) result) {
		r := run("cd /usr; export A=a; B=b; f() { echo from f; }", nil)
		if r.expect(t, "exited", 0); *r.CwdAfter != "/usr" {
			t.Fatal(*r.CwdAfter)
		}
		r = run("pwd; echo $A $B $GIVEN; f; echo err >&2; false", nil)
		if r.expect(t, "exited", 1); r.stdout != "/usr\na b 1\nfrom f\n" || r.stderr != "err\n" {
			t.Fatalf("%q %q", r.stdout, r.stderr)
		}
	})
}

func TestASessionSurvivesBrokenSyntax(t *testing.T) {
	eachShell(t, func(t *testing.T, c *client, run func(string, fields) result) {
		run("export KEPT=1; cd /usr", nil)
		for _, script := range []string{`echo "open`, "echo $(echo x", "echo (", "for x in", "echo )", "if true; then"} {
			begun := time.Now()
			r := run(script, nil)
			if r.Status != "exited" || *r.Code == 0 || time.Since(begun) > 5*time.Second {
				t.Errorf("%q: %+v %q", script, r.exitMessage, r.stderr)
			}
			if r = run("echo $KEPT $PWD", nil); r.stdout != "1 /usr\n" {
				t.Errorf("after %q: %q", script, r.stdout)
			}
		}
		for _, heredoc := range []string{"cat <<END\nopen", "cat <<END\nopen\n  END"} {
			if r := run(heredoc, nil); !strings.HasPrefix(r.stdout, "open") { // the shells warn, and take all there is
				t.Errorf("an unterminated heredoc: %q", r.stdout)
			}
		}
	})
}

func TestASessionSurvivesATextThatEndsInsideASubstitution(t *testing.T) {
	eachShell(t, func(t *testing.T, c *client, run func(string, fields) result) {
		run("export KEPT=1; cd /usr", nil)
		for range 10 { // bash 5.2 damages itself here, and would abort later
			run("echo $(echo x", nil).expect(t, "exited", 2)
			for range 3 {
				if r := run("echo $KEPT $PWD", nil); r.stdout != "1 /usr\n" {
					t.Fatalf("%+v %q", r.exitMessage, r.stdout)
				}
			}
		}
	})
}

func TestManySessionsAndCommandsAtOnceDoNotBlockEachOther(t *testing.T) {
	c := startSupervisor(t, stateFolder(t), nil)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 5 {
				id, run := openShell(t, c, "bash")
				run("sleep 50 & exit 1", fields{"background": "kill", "drainIdleMs": 10}).expect(t, "exited", 1)
				run("sleep 50 >/dev/null 2>&1 &", nil).expect(t, "exited", 0)
				c.script("sleep 50 >/dev/null 2>&1 & true").expect(t, "exited", 0)
				c.control(typeSessionClose, id, nil)
			}
		})
	}
	group.Wait()
}

func TestASessionThatExitsGivesItsCodeAndStartsAgain(t *testing.T) {
	eachShell(t, func(t *testing.T, c *client, run func(string, fields) result) {
		run("cd /usr; export A='it'\\''s'", nil)
		run("exit 3", nil).expect(t, "exited", 3)
		if r := run("echo $A; pwd", nil); r.stdout != "it's\n/usr\n" {
			t.Fatalf("%q", r.stdout)
		}
		run("kill -9 $$", nil).expect(t, "signaled", -1)
		run("exec sh -c 'exit 4'", nil).expect(t, "exited", 4)
		run("set -e; false", nil).expect(t, "exited", 1)
		run("true", nil).expect(t, "exited", 0)
	})
}

func TestALargeVariableBreaksOnlyItsOwnCommands(t *testing.T) {
	eachShell(t, func(t *testing.T, c *client, run func(string, fields) result) {
		r := run("export BIG=$(head -c 300000 /dev/zero | tr '\\0' x); echo ${#BIG}", nil)
		if r.stdout != "300000\n" {
			t.Fatalf("%q %q", r.stdout, r.stderr)
		}
		run("/bin/true", nil).expect(t, "exited", 126)
		run("unset BIG; /bin/true", nil).expect(t, "exited", 0)
	})
}

func TestAMegabyteHeredocInASubstitutionPasses(t *testing.T) {
	eachShell(t, func(t *testing.T, c *client, run func(string, fields) result) {
		r := run("V=$(cat <<'END'\n"+strings.Repeat(strings.Repeat("y", 99)+"\n", 10_000)+"END\n); echo ${#V}", nil)
		if r.stdout != "999999\n" {
			t.Fatalf("%q %q", r.stdout, r.stderr)
		}
	})
}

func TestATimeoutEndsTheCommandButNotTheSession(t *testing.T) {
	eachShell(t, func(t *testing.T, c *client, run func(string, fields) result) {
		mark := fmt.Sprintf("sleep 4%d", time.Now().UnixNano()%1_000_000_000)
		run("cd /usr; export A=1", nil)
		for _, script := range []string{"echo part; " + mark + "; echo after", "echo part; while :; do :; done", "echo part; trap '' TERM; (setsid " + mark + " &) ; " + mark} {
			r := run(script, fields{"timeoutMs": 200})
			if r.expect(t, "timeout", -1); r.stdout != "part\n" || alive(t, mark) != 0 {
				t.Errorf("%q: %q, %d alive", script, r.stdout, alive(t, mark))
			}
			if r = run("echo $A $PWD", nil); r.stdout != "1 /usr\n" {
				t.Errorf("after %q: %q", script, r.stdout)
			}
		}
	})
}

func TestABashSessionKeepsItsVariablesThroughATimeout(t *testing.T) {
	c := startSupervisor(t, stateFolder(t), nil)
	_, run := openShell(t, c, "bash")
	run("f() { sleep 100; echo inner; }; K=5", nil)
	r := run("f; echo outer", fields{"timeoutMs": 200})
	if r.expect(t, "timeout", -1); r.stdout != "" {
		t.Fatalf("the command went on: %q", r.stdout)
	}
	if r = run("echo $K; f() { echo ok; }; f", nil); r.stdout != "5\nok\n" {
		t.Fatalf("%q %q", r.stdout, r.stderr)
	}
}

func TestASessionRunsOneCommandAtATime(t *testing.T) {
	c := startSupervisor(t, stateFolder(t), nil)
	id, run := openShell(t, c, "bash")
	first := c.start(fields{"session": id, "script": "sleep 0.3", "env": fields{}})
	c.next(first)
	if r := run("true", nil); r.err == nil || r.err.Code != "SESSION_BUSY" {
		t.Fatalf("%+v", r)
	}
	c.wait(first).expect(t, "exited", 0)
	run("true", nil).expect(t, "exited", 0)
}

func TestTheVariablesOfOneRequestDoNotStay(t *testing.T) {
	eachShell(t, func(t *testing.T, c *client, run func(string, fields) result) {
		r := run("echo $SECRET; sh -c 'echo $SECRET'", fields{"env": fields{"SECRET": "it's \"one\""}})
		if r.stdout != "it's \"one\"\nit's \"one\"\n" {
			t.Fatalf("%q", r.stdout)
		}
		if r = run("echo [$SECRET]; export -p | grep -c SECRET", nil); r.stdout != "[]\n0\n" {
			t.Fatalf("%q", r.stdout)
		}
	})
}

func TestADirectoryThatCannotBeEnteredStartsNothing(t *testing.T) {
	eachShell(t, func(t *testing.T, c *client, run func(string, fields) result) {
		run("echo no", fields{"cwd": "/no/such"}).expect(t, "not_started", -1)
		if r := run("pwd", fields{"cwd": "/usr"}); r.stdout != "/usr\n" {
			t.Fatalf("%q", r.stdout)
		}
	})
}

func TestClosingASessionEndsWhatItAdopted(t *testing.T) {
	c := startSupervisor(t, stateFolder(t), nil)
	id, run := openShell(t, c, "bash")
	mark := fmt.Sprintf("sleep 3%d", time.Now().UnixNano()%1_000_000_000)
	run(mark+" >/dev/null 2>&1 &", nil)
	run("(setsid "+mark+" & ) ; exit 1", fields{"drainIdleMs": 20})
	run(mark+" & echo", fields{"drainIdleMs": 20})
	until(t, "three of them", func() bool { return alive(t, mark) == 3 })
	run(mark+" >/dev/null 2>&1 &", fields{"background": "kill"})
	if alive(t, mark) != 3 {
		t.Fatalf("%d alive after one with background kill", alive(t, mark))
	}
	c.control(typeSessionClose, id, nil)
	until(t, "the end of all", func() bool { return alive(t, mark) == 0 })
}

func TestWhatBashSaysNamesNoPlaceOfOurs(t *testing.T) {
	c := startSupervisor(t, stateFolder(t), nil)
	plain := c.script("true\nnope\nif")
	if !strings.Contains(plain.stderr, "bash: line 2: nope: command not found") || strings.Contains(plain.stderr, "/hs") {
		t.Fatalf("%q", plain.stderr)
	}
	_, run := openShell(t, c, "bash")
	say := func(script string) result { return run(script, nil) }
	say("cd /usr; cd /tmp; f() { echo $PWD $OLDPWD; }")
	r := say("nope\necho $LINENO\necho )")
	if strings.Contains(r.stderr, "/hs") || strings.Contains(r.stderr, "HERMES") || !strings.Contains(r.stderr, ": line 1: nope: command not found") || r.stdout != "2\n" {
		t.Fatalf("%q %q", r.stdout, r.stderr)
	}
	if r := say("echo )"); !strings.Contains(r.stderr, ": line 1: `echo )'") {
		t.Fatalf("%q", r.stderr)
	}
	if r := say("f; echo ${HERMES_PWD-none}; cd - >/dev/null; pwd"); r.stdout != "/tmp /usr\nnone\n/usr\n" {
		t.Fatalf("%q", r.stdout)
	}
}

func TestWhatASessionsCommandWasGivenIsInNoFileAfterwards(t *testing.T) {
	for _, shell := range []string{"bash", "sh"} {
		t.Run(shell, func(t *testing.T) {
			state := stateFolder(t)
			c := startSupervisor(t, state, nil)
			_, run := openShell(t, c, shell)
			given := fields{"env": fields{"TOKEN": "a-secret"}}
			if r := run(`echo "$TOKEN"`, given); r.stdout != "a-secret\n" {
				t.Fatalf("%q %q", r.stdout, r.stderr)
			}
			expectNoFileHolds(t, state, "a-secret")
			given["timeoutMs"] = 100
			run("sleep 30", given).expect(t, "timeout", -1)
			expectNoFileHolds(t, state, "a-secret")
		})
	}
}

func expectNoFileHolds(t *testing.T, folder, text string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		content, err := os.ReadFile(path)
		if strings.Contains(string(content), text) {
			t.Errorf("%s holds it", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
