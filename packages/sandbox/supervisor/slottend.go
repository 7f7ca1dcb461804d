package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"sync"
	"syscall"
)

// question is a line of our input, answer one of our output.
type question struct {
	ID     int        `json:"id"`
	Do     string     `json:"do"` // "verify", "usage"
	Config slotConfig `json:"config"`
}

type answer struct {
	ID      int              `json:"id"`
	Problem string           `json:"problem,omitempty"`
	Usage   *slotUsageReport `json:"usage,omitempty"`
}

// startTending starts tendSlots in a mount namespace of its own, in which all
// its threads are, and lends it our input and output.
func startTending() error {
	runtime.LockOSThread()
	pid, err := syscall.ForkExec("/proc/self/exe", []string{"hermes-supervisor", "slot", "tending"}, &syscall.ProcAttr{
		Files: []uintptr{0, 1, 2}, Sys: &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS, Pdeathsig: syscall.SIGKILL},
	})
	if err != nil {
		return fmt.Errorf("slot: make a mount namespace: %w", err)
	}
	releaseStreams()
	os.Exit(awaitProcess(pid))
	return nil
}

// tendSlots answers questions about slots until its input ends, many at once.
func tendSlots() error {
	if err := mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""); err != nil {
		return err
	}
	bases := findGroupBases()
	mounts := "/proc/" + strconv.Itoa(os.Getppid()) + "/mountinfo"
	var writing sync.Mutex
	var answers sync.WaitGroup
	output := json.NewEncoder(os.Stdout)
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var asked question
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			return fmt.Errorf("slot: a question that is no JSON: %w", err)
		}
		answers.Go(func() {
			reply := asked.answer(bases, mounts)
			writing.Lock()
			defer writing.Unlock()
			output.Encode(reply) // nobody may be there to read it any more
		})
	}
	answers.Wait()
	return lines.Err()
}

func (q question) answer(bases groupBases, mounts string) answer {
	reply := answer{ID: q.ID}
	switch q.Do {
	case "verify":
		if err := verifySlot(q.Config, bases, mounts); err != nil {
			reply.Problem = err.Error()
		}
	case "usage":
		usage := slotUsageOf(q.Config, bases)
		reply.Usage = &usage
	default:
		reply.Problem = "unknown question " + q.Do
	}
	return reply
}
