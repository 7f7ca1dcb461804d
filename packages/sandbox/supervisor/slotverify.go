package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// The namespaces by which the processes of a slot are known, wherever they are:
// those that nobody else makes.
var slotNamespaceNames = []string{"pid", "ipc", "uts"}

// recordSlot notes the namespaces of the first process, for verifySlot.
func recordSlot(config slotConfig, pid int) error {
	names := slotNamespaceNames
	if config.Network != "shared" {
		names = append(names, "net")
	}
	ids := map[string]string{"init": strconv.Itoa(pid)}
	for _, name := range names {
		id, err := namespaceOf(strconv.Itoa(pid), name)
		if err != nil {
			return fmt.Errorf("slot: read its namespaces: %w", err)
		}
		ids[name] = id
	}
	text, err := json.Marshal(ids)
	if err != nil {
		return err
	}
	return os.WriteFile(config.record(), text, 0o600)
}

func namespaceOf(pid, name string) (string, error) {
	return os.Readlink("/proc/" + pid + "/ns/" + name)
}

func readSlotRecord(config slotConfig) (map[string]string, error) {
	return readRecord(config.record())
}

func readRecord(path string) (map[string]string, error) {
	ids := map[string]string{}
	text, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return ids, nil // it never came so far
	}
	if err != nil {
		return nil, err
	}
	return ids, json.Unmarshal(text, &ids)
}

// verifySlot proves that nothing of an ended slot is left, or says what is.
// mounts: the mountinfo of the container's own mount namespace.
func verifySlot(config slotConfig, bases groupBases, mounts string) error {
	ids, err := readSlotRecord(config)
	if err != nil {
		return err
	}
	findings := append(remainingProcesses(config, ids), mountsBelow(config, mounts)...)
	if entries, err := os.ReadDir(config.mountPoint()); err != nil || len(entries) > 0 {
		findings = append(findings, fmt.Sprintf("files in %s (%d, %v)", config.mountPoint(), len(entries), err))
	}
	if err := bases.of(config.Name).remove(); err != nil {
		findings = append(findings, "a control group with processes: "+err.Error())
	}
	if len(findings) > 0 {
		return fmt.Errorf("slot %s is not clean: %s", config.Name, strings.Join(findings, "; "))
	}
	if err := os.Remove(config.record()); err != nil && !os.IsNotExist(err) {
		return err
	}
	return nil
}

const (
	verifyLimit = 2 * time.Second
	verifyPause = 10 * time.Millisecond
)

// remainingProcesses looks again while it finds some: the kernel buries the dead
// a little later, and a newcomer may not have been noted yet.
func remainingProcesses(config slotConfig, ids map[string]string) []string {
	deadline := time.Now().Add(verifyLimit)
	for {
		findings := processesOf(config, ids)
		if len(findings) == 0 || time.Now().After(deadline) {
			return findings
		}
		time.Sleep(verifyPause)
	}
}

// processesOf lists who acts as one of the slot's users or is in one of its
// namespaces: sockets and shared memory live no longer than these.
func processesOf(config slotConfig, ids map[string]string) []string {
	taken := namespacesOfOthers(config)
	findings := []string{}
	for pid := range listProcesses() {
		if config.owns(userOf(pid)) {
			findings = append(findings, fmt.Sprintf("process %d of one of its users", pid))
			continue
		}
		for _, name := range slotNamespaceNames {
			now, err := namespaceOf(strconv.Itoa(pid), name)
			if err == nil && now == ids[name] && !taken[now] {
				findings = append(findings, fmt.Sprintf("process %d in its %s namespace", pid, name))
				break
			}
		}
	}
	return findings
}

// namespacesOfOthers are those of the slots that live: the kernel gives the
// number of a namespace that has ended to the next one.
func namespacesOfOthers(config slotConfig) map[string]bool {
	taken := map[string]bool{}
	paths, _ := filepath.Glob(filepath.Join(config.Folder, "slot-*")) // the pattern is well-formed
	for _, path := range paths {
		if path == config.record() {
			continue
		}
		if ids, err := readRecord(path); err == nil {
			for _, id := range ids {
				taken[id] = true
			}
		}
	}
	return taken
}

// userOf gives the user a process acts as; -1 when it has ended.
func userOf(pid int) int {
	text, err := readProc(pid, "/status", make([]byte, 4096))
	if err != nil {
		return -1
	}
	_, rest, _ := strings.Cut(string(text), "\nUid:")
	var real, effective int
	if _, err := fmt.Sscan(rest, &real, &effective); err != nil {
		return -1
	}
	return effective
}

func mountsBelow(config slotConfig, mounts string) []string {
	findings := []string{}
	for _, line := range strings.Split(readText(mounts), "\n") {
		fields := strings.Fields(line)
		if len(fields) > 4 && strings.HasPrefix(fields[4], config.Folder+"/") && fields[4] != config.tree() {
			findings = append(findings, "a mount at "+fields[4])
		}
	}
	return findings
}
