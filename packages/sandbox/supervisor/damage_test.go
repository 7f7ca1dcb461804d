package main

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestACommandThatDamagesItsShellLosesNoLaterOutput(t *testing.T) {
	damages := map[string]int{
		"exec 10>&-": 0, "exec 11>&-": 0, "exec 12>&-": 0, "exec 13>&-": 0, "exec 3>&-": 0, "exec >/dev/null": 0, "exec 2>&-": 0,
		"exec <&-": 0, "exec >&-": 0, "exec 10>&- 11>&- 12>&- 13>&-; (exit 7)": 7, "ulimit -n 3": 0,
		"fd=3; while [ $fd -lt 256 ]; do eval \"command exec $fd>&-\" 2>/dev/null; fd=$((fd+1)); done": 0,
		"exec 11>&-; sleep 50 >/dev/null 2>&1 &":                                                       0,
	}
	eachShell(t, func(t *testing.T, c *client, run func(string, fields) result) {
		run("cd /usr; export KEPT=1", nil)
		for damage, code := range damages {
			if isDash(t) && strings.Contains(damage, "1") {
				continue
			}
			r := run(damage, nil)
			if r.Status != "exited" || *r.Code != code || strings.Contains(r.stderr+r.stdout, "line ") {
				t.Errorf("%q: %+v, code %v, %q", damage, r.exitMessage, r.Code, r.stderr)
			}
			for range 2 {
				if r := run("echo $KEPT $PWD; echo e >&2", nil); r.stdout != "1 /usr\n" || r.stderr != "e\n" {
					t.Errorf("after %q: %+v %q %q", damage, r.exitMessage, r.stdout, r.stderr)
				}
			}
		}
	})
}

// isDash: its grammar knows descriptors of one digit only.
func isDash(t *testing.T) bool { return strings.HasSuffix(t.Name(), "/sh") }

func TestATimeoutAddsNothingToTheOutput(t *testing.T) {
	eachShell(t, func(t *testing.T, c *client, run func(string, fields) result) {
		for _, script := range []string{"echo a; sleep 50", "echo a; sleep 50 | cat", "echo a; (sleep 50; echo b)", "echo a; trap '' TERM; sh -c \"sleep 50; echo\"",
			"f() { echo a; sleep 50; }; f"} {
			for _, merge := range []bool{false, true} {
				r := run(script, fields{"timeoutMs": 200, "killGraceMs": 150, "merge": merge})
				if r.Status != "timeout" || r.stdout != "a\n" || r.stderr != "" || r.Stderr.Total != 0 || r.Stdout.Total != 2 {
					t.Errorf("%q merge %v: %+v %q %q", script, merge, r.exitMessage, r.stdout, r.stderr)
				}
			}
		}
	})
}

func TestWhatACommandSaysWhenItIsStoppedIsKept(t *testing.T) {
	eachShell(t, func(t *testing.T, c *client, run func(string, fields) result) {
		long := strings.Repeat("y", 20_000)
		r := run("sh -c 'trap \"echo bye >&2; exit 3\" TERM; echo "+long+" >&2; while :; do sleep 0.05; done'", fields{"timeoutMs": 300})
		if r.Status != "timeout" || isDash(t) != (r.stderr == long+"\n") && r.stderr != long+"\nbye\n" || r.gaps != 0 {
			t.Fatalf("%+v, %d bytes, %.200q", r.exitMessage, len(r.stderr), r.stderr[max(0, len(r.stderr)-100):])
		}
	})
}

func TestAShellWhoseFolderIsGoneStartsInTheNearestThatIsThere(t *testing.T) {
	eachShell(t, func(t *testing.T, c *client, run func(string, fields) result) {
		folder := stateFolder(t)
		run("cd "+folder+"; mkdir -p g/h; cd g/h", nil).expect(t, "exited", 0)
		run("rmdir ../h; rmdir "+folder+"/g; exit 2", nil).expect(t, "exited", 2)
		if r := run("pwd", nil); r.stdout != folder+"\n" {
			t.Fatalf("%+v %q", r.exitMessage, r.stdout)
		}
	})
}

func TestWritingOverAPipeOrSocketIsRefused(t *testing.T) {
	c := startSupervisor(t, stateFolder(t), nil)
	folder := stateFolder(t)
	pipe, link := filepath.Join(folder, "pipe"), filepath.Join(folder, "link")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(pipe, link); err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("unix", filepath.Join(folder, "socket"))
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	for _, path := range []string{pipe, link, listener.Addr().String()} {
		if reply := c.put(fields{"path": path}, []byte("x")); reply.OK || reply.Code != "ALREADY_EXISTS" {
			t.Errorf("%s: %+v", path, reply)
		}
	}
	if info, err := os.Lstat(pipe); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		t.Fatal(info, err)
	}
}
