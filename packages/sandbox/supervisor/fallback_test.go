package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// eachFallback runs the test with the script under every POSIX shell here.
func eachFallback(t *testing.T, test func(*testing.T, *client)) {
	tried := 0
	for _, shell := range [][]string{{"dash"}, {"busybox", "sh"}, {"bash", "--posix"}} {
		path, err := exec.LookPath(shell[0])
		if err != nil {
			continue
		}
		tried++
		t.Run(shell[0], func(t *testing.T) {
			arguments := append(shell[1:], "fallback.sh", "serve", "--state", stateFolder(t))
			c := connect(t, exec.Command(path, arguments...), true)
			c.greet(nil)
			test(t, c)
		})
	}
	if tried == 0 {
		t.Fatal("no POSIX shell was found")
	}
}

func TestFallbackGivesStatusCodeAndBothOutputs(t *testing.T) {
	eachFallback(t, func(t *testing.T, c *client) {
		for script, code := range map[string]int{"true": 0, "exit 42": 42, "exit 255": 255, "exit 300": 44} {
			c.script(script).expect(t, "exited", code)
		}
		r := c.script("echo out; echo err >&2; printf '\\000\\377end'")
		if r.stdout != "out\n\x00\xffend" || r.stderr != "err\n" || r.started == nil {
			t.Fatalf("%q %q", r.stdout, r.stderr)
		}
		if r = c.script("kill -9 $$"); r.Status != "signaled" || *r.Signal != "SIGKILL" {
			t.Fatalf("%+v", r.exitMessage)
		}
		if r = c.run(fields{"script": "echo out; echo err >&2", "merge": true}); r.stdout != "out\nerr\n" {
			t.Fatalf("%q %q", r.stdout, r.stderr)
		}
	})
}

func TestFallbackPassesWordsAndEnvironmentAsTheyAre(t *testing.T) {
	eachFallback(t, func(t *testing.T, c *client) {
		word := "it's \"x\" \\ \\\\n $HOME `id` é € \n last"
		r := c.run(fields{"argv": []string{"printf", "<%s>", word, "", "-n"}, "env": fields{"PATH": os.Getenv("PATH")}})
		if r.stdout != "<"+word+"><><-n>" {
			t.Fatalf("%q", r.stdout)
		}
		r = c.run(fields{"script": "printf %s \"$ODD\"; cd /usr; pwd", "env": fields{"PATH": os.Getenv("PATH"), "ODD": word}, "cwd": "/tmp"})
		if r.stdout != word+"/usr\n" {
			t.Fatalf("%q %q", r.stdout, r.stderr)
		}
		script := "cat <<'END' | wc -c\n" + strings.Repeat("quote \" and \\ back\n", 10_000) + "END\n"
		if r = c.script(script); strings.TrimSpace(r.stdout) != "190000" {
			t.Fatalf("%q %q", r.stdout, r.stderr)
		}
	})
}

func TestFallbackSaysWhatCannotBeStartedOrIsMissing(t *testing.T) {
	eachFallback(t, func(t *testing.T, c *client) {
		c.run(fields{"argv": []string{"no-such-program"}}).expect(t, "not_started", -1)
		c.run(fields{"argv": []string{"/no/such"}}).expect(t, "not_started", -1)
		c.run(fields{"argv": []string{"true"}, "cwd": "/no/such"}).expect(t, "not_started", -1)
		for _, more := range []fields{{"tty": fields{"cols": 80, "rows": 24}}, {"session": 9}, {"user": "somebody"}} {
			more["argv"] = []string{"true"}
			if r := c.run(more); r.err == nil || r.err.Code != "UNSUPPORTED" {
				t.Errorf("%v: %+v", more, r)
			}
		}
	})
}

func TestFallbackCapsOutputWithExactCounts(t *testing.T) {
	eachFallback(t, func(t *testing.T, c *client) {
		for keep, ends := range map[string]string{"head_tail": "first\nlast\n", "head": "first\n", "tail": "last\n"} {
			r := c.run(fields{"script": "echo first; head -c 8000000 /dev/zero; echo last", "maxBytes": 200_001, "keep": keep})
			if len(r.stdout) != 200_001 || r.Stdout.Total != 8_000_011 || r.Stdout.Dropped != 7_800_010 {
				t.Fatalf("%s: %d bytes, %+v", keep, len(r.stdout), r.Stdout)
			}
			if got := strings.ReplaceAll(r.stdout, "\x00", ""); got != ends {
				t.Errorf("%s: %q", keep, got)
			}
		}
	})
}

func TestFallbackKillsAtTheLimitWhenAsked(t *testing.T) {
	eachFallback(t, func(t *testing.T, c *client) {
		r := c.run(fields{"script": "yes", "killAtLimit": true, "maxBytes": 1000, "background": "kill"})
		r.expect(t, "output_limit_killed", -1)
		if r = c.run(fields{"script": "printf 1234", "killAtLimit": true, "maxBytes": 4}); r.stdout != "1234" || r.Status != "exited" {
			t.Fatalf("%+v", r.exitMessage)
		}
	})
}

func TestFallbackEndsAGroupOnTimeoutAndCancel(t *testing.T) {
	eachFallback(t, func(t *testing.T, c *client) {
		mark := fmt.Sprintf("sleep 2%d", time.Now().UnixNano()%1_000_000_000)
		r := c.run(fields{"script": "trap '' TERM; echo part; " + mark + " & " + mark, "timeoutMs": 300})
		if r.expect(t, "timeout", -1); r.stdout != "part\n" {
			t.Fatalf("%q", r.stdout)
		}
		until(t, "the end of all", func() bool { return alive(t, mark) == 0 })
		id := c.start(fields{"script": "echo up; " + mark})
		c.next(id)
		c.next(id)
		c.control(typeSignal, id, fields{"reason": "cancel"})
		c.wait(id).expect(t, "cancelled", -1)
		until(t, "the end of all", func() bool { return alive(t, mark) == 0 })
	})
}

func TestFallbackKillsOrAdoptsBackgroundProcesses(t *testing.T) {
	eachFallback(t, func(t *testing.T, c *client) {
		mark := fmt.Sprintf("sleep 1%d", time.Now().UnixNano()%1_000_000_000)
		if r := c.script(mark + " & echo up"); r.stdout != "up\n" || !r.Leftover.PipesOpen {
			t.Fatalf("%q %+v", r.stdout, r.Leftover)
		}
		until(t, "the end", func() bool { return alive(t, mark) == 0 })
		if r := c.run(fields{"script": mark + " >/dev/null 2>&1 & echo up", "background": "adopt"}); r.stdout != "up\n" || r.Leftover.PipesOpen {
			t.Fatalf("%q %+v", r.stdout, r.Leftover)
		}
		if alive(t, mark) != 1 {
			t.Fatal("an adopted process is gone")
		}
		c.stop()
		until(t, "its end with the supervisor", func() bool { return alive(t, mark) == 0 })
	})
}

func TestFallbackRunsManyAtOnceAndAStuckOneBlocksNone(t *testing.T) {
	eachFallback(t, func(t *testing.T, c *client) {
		stuck := c.start(fields{"argv": []string{"cat"}, "stdin": "open"})
		ids := []uint32{}
		for at := range 20 {
			ids = append(ids, c.start(fields{"script": fmt.Sprintf("seq 1 5000; echo %d", at)}))
		}
		for at, id := range ids {
			if r := c.wait(id); !strings.HasSuffix(r.stdout, fmt.Sprintf("5000\n%d\n", at)) || r.gaps != 0 {
				t.Fatalf("%d: %d bytes, %q", at, len(r.stdout), r.stderr)
			}
		}
		for range 5 {
			c.raw(typeStdin, stuck, []byte(strings.Repeat("y", 60_000)))
		}
		c.raw(typeStdinEnd, stuck, nil)
		if r := c.wait(stuck); len(r.stdout) != 300_000 {
			t.Fatalf("%d bytes of stdin came back", len(r.stdout))
		}
	})
}

func TestFallbackAnswersPingAndUsage(t *testing.T) {
	eachFallback(t, func(t *testing.T, c *client) {
		c.raw(typePing, 0, []byte("12345678"))
		if f := c.next(0); f.kind != typePong || string(f.payload) != "12345678" {
			t.Fatalf("%x %q", f.kind, f.payload)
		}
		c.control(typeUsage, 7, fields{})
		if f := c.next(7); f.kind != typeUsageReply {
			t.Fatalf("%x", f.kind)
		}
	})
}

func TestFallbackThatIsKilledLeavesNoneOfItsOwnWaiting(t *testing.T) {
	eachFallback(t, func(t *testing.T, c *client) {
		id := c.start(fields{"argv": []string{"cat"}, "stdin": "open"})
		c.next(id)
		state := c.process.Args[len(c.process.Args)-1]
		c.process.Process.Kill()
		c.process.Process.Wait()
		until(t, "the end of what waits for input", func() bool { return alive(t, state) == 0 })
	})
}

func TestFallbackKeepsNoVariablesOfACommandThatHasEnded(t *testing.T) {
	state := stateFolder(t)
	c := connect(t, exec.Command("sh", "fallback.sh", "serve", "--state", state), true)
	c.greet(nil)
	given := fields{"PATH": os.Getenv("PATH"), "TOKEN": "a-secret"}
	if r := c.run(fields{"script": "echo $TOKEN", "env": given}); r.stdout != "a-secret\n" {
		t.Fatalf("%q %q", r.stdout, r.stderr)
	}
	c.run(fields{"argv": []string{"not-a-program"}, "env": given}).expect(t, "not_started", -1)
	expectNoFileHolds(t, state, "TOKEN=")
}
