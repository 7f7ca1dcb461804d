package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestUsersOfSlotsAreNobodyElses(t *testing.T) {
	first, second := slotConfig{IDs: "own", Index: 0}, slotConfig{IDs: "own", Index: 1}
	for _, id := range []int{0, 1, 999, 1000, 1001, 65534, 65535} {
		if !first.owns(first.outside(id)) || second.owns(first.outside(id)) {
			t.Errorf("user %d of the first slot is %d outside", id, first.outside(id))
		}
	}
	if first.outside(0) != 100_000 || second.outside(0) != 101_000 {
		t.Errorf("the roots are %d and %d", first.outside(0), second.outside(0))
	}
	if shared := (slotConfig{IDs: "shared"}); shared.outside(7) != 7 || shared.owns(7) {
		t.Error("shared users are the container's, and nobody's own")
	}
}

// verdict runs the filter as the kernel would on one call.
func verdict(t *testing.T, architecture, number, argument uint32) uint32 {
	t.Helper()
	words := map[uint32]uint32{numberOffset: number, architectureOffset: architecture, firstArgument: argument}
	program := slotFilter()
	var loaded uint32
	for at := 0; at < len(program); at++ {
		one := program[at]
		jump := func(yes bool) {
			if yes {
				at += int(one.yes)
			} else {
				at += int(one.no)
			}
		}
		switch one.code {
		case loadWord:
			loaded = words[one.value]
		case jumpEqual:
			jump(loaded == one.value)
		case jumpAtLeast:
			jump(loaded >= one.value)
		case jumpAnyBit:
			jump(loaded&one.value != 0)
		case giveBack:
			return one.value
		}
	}
	t.Fatal("the filter has no end")
	return 0
}

func TestFilterRefusesWhatReachesAroundTheWalls(t *testing.T) {
	refused := func(errno syscall.Errno) uint32 { return refuseCall | uint32(errno) }
	for name, check := range map[string]struct{ architecture, number, argument, want uint32 }{
		"read":                     {ownArchitecture, syscall.SYS_READ, 0, allowCall},
		"execve":                   {ownArchitecture, syscall.SYS_EXECVE, 0, allowCall},
		"fork":                     {ownArchitecture, syscall.SYS_CLONE, uint32(syscall.SIGCHLD), allowCall},
		"mount":                    {ownArchitecture, syscall.SYS_MOUNT, 0, refused(syscall.EPERM)},
		"unshare":                  {ownArchitecture, syscall.SYS_UNSHARE, 0, refused(syscall.EPERM)},
		"clone with a namespace":   {ownArchitecture, syscall.SYS_CLONE, syscall.CLONE_NEWUSER, refused(syscall.EPERM)},
		"clone3":                   {ownArchitecture, callClone3, 0, refused(syscall.ENOSYS)},
		"io_uring":                 {ownArchitecture, 425, 0, refused(syscall.EPERM)},
		"mount_setattr":            {ownArchitecture, callMountSetattr, 0, refused(syscall.EPERM)},
		"the call of another kind": {0x40000003, syscall.SYS_READ, 0, refused(syscall.ENOSYS)},
	} {
		if got := verdict(t, check.architecture, check.number, check.argument); got != check.want {
			t.Errorf("%s: %#x, not %#x", name, got, check.want)
		}
	}
	if foreignNumbers != 0xffffffff && verdict(t, ownArchitecture, foreignNumbers+1, 0) != refused(syscall.ENOSYS) {
		t.Error("a call of the x32 kind passes")
	}
}

func TestLimitsBecomeControlFiles(t *testing.T) {
	limits := slotLimits{MemoryBytes: 1 << 20, Pids: 7, MilliCPU: 500}
	text := func(version int) string {
		lines := []string{}
		for _, one := range limits.files(version) {
			lines = append(lines, one.file+"="+one.value)
		}
		return strings.Join(lines, " ")
	}
	if got := text(1); got != "memory.limit_in_bytes=1048576 memory.memsw.limit_in_bytes=1048576 cpu.cfs_period_us=100000 cpu.cfs_quota_us=50000 pids.max=7" {
		t.Error(got)
	}
	if got := text(2); got != "memory.max=1048576 memory.swap.max=0 cpu.max=50000 100000 pids.max=7" {
		t.Error(got)
	}
	if len(slotLimits{}.files(1)) != 0 {
		t.Error("no limit is a limit")
	}
}

func TestControlGroupsAreFoundBelowWhatIsMounted(t *testing.T) {
	for _, check := range []struct{ root, group, want string }{
		{"/", "/", "/cg"},
		{"/", "/docker/x", "/cg/docker/x"},
		{"/docker/x", "/docker/x", "/cg"},
		{"/docker/x", "/docker/x/child", "/cg/child"},
		{"/docker/x", "/elsewhere", "/cg"},
	} {
		if got := (groupMount{root: check.root, place: "/cg"}).folderOf(check.group); got != check.want {
			t.Errorf("%s below %s: %s", check.group, check.root, got)
		}
	}
}

func TestASlotIsMadeAndLeavesNothing(t *testing.T) {
	if os.Getuid() != 0 {
		t.Log("without root the kernel refuses, and that is said")
	}
	program := filepath.Join(t.TempDir(), "hermes-supervisor")
	if output, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	config := slotConfig{
		Name: "test", Index: 50_000, IDs: "own", Folder: filepath.Join(t.TempDir(), "slots"), Workdir: "/workspace", Hostname: "sandbox",
		Network: "none", Show: []string{"/usr", "/bin", "/lib", "/lib64"}, DiskBytes: 1 << 20, ShmBytes: 1 << 20,
	}
	text, err := json.Marshal(config)
	if err != nil {
		t.Fatal(err)
	}
	if output, err := exec.Command(program, "slot", "probe", "--config", string(text)).CombinedOutput(); err != nil && os.Getuid() == 0 {
		t.Fatalf("probe: %v: %s", err, output)
	}
	output, err := exec.Command(program, "slot", "run", "--config", string(text), "--", "version").CombinedOutput()
	if os.Getuid() != 0 {
		if err == nil || !strings.Contains(string(output), "operation not permitted") {
			t.Fatalf("%v: %s", err, output)
		}
		return
	}
	if err != nil || string(output) != version+"\n" {
		t.Fatalf("run: %v: %s", err, output)
	}
	tend := exec.Command(program, "slot", "tend")
	asked, err := json.Marshal(question{ID: 7, Do: "verify", Config: config})
	if err != nil {
		t.Fatal(err)
	}
	tend.Stdin = bytes.NewReader(append(asked, '\n'))
	if output, err := tend.CombinedOutput(); err != nil || string(output) != "{\"id\":7}\n" {
		t.Fatalf("verify: %v: %s", err, output)
	}
}
