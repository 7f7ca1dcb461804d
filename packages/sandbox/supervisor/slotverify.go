package main

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
)

// The namespaces by which the processes of a slot are known, wherever they are.
var slotNamespaceNames = []string{"pid", "mnt", "ipc", "uts"}

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
	ids := map[string]string{}
	text, err := os.ReadFile(config.record())
	if os.IsNotExist(err) {
		return ids, nil // it never came so far
	}
	if err != nil {
		return nil, err
	}
	return ids, json.Unmarshal(text, &ids)
}

// verifySlot proves that nothing of an ended slot is left, and prints what is,
// one finding a line.
func verifySlot(config slotConfig) error {
	runtime.LockOSThread()
	ids, err := readSlotRecord(config)
	if err != nil {
		return err
	}
	findings := append(processesOf(config, ids), mountsBelow(config)...)
	if entries, err := os.ReadDir(config.mountPoint()); err != nil || len(entries) > 0 {
		findings = append(findings, fmt.Sprintf("files in %s (%d, %v)", config.mountPoint(), len(entries), err))
	}
	if err := privateMounts(); err != nil {
		return err
	}
	if err := findSlotGroups(config.Name).remove(); err != nil {
		findings = append(findings, "a control group with processes: "+err.Error())
	}
	if len(findings) > 0 {
		return fmt.Errorf("slot %s is not clean: %s", config.Name, strings.Join(findings, "; "))
	}
	if err := os.Remove(config.record()); err != nil && !os.IsNotExist(err) {
		return err
	}
	fmt.Println("clean")
	return nil
}

// processesOf lists who is in one of the namespaces: sockets, shared memory and
// mounts live no longer than these.
func processesOf(config slotConfig, ids map[string]string) []string {
	findings := []string{}
	for pid := range listProcesses() {
		if where := slotPartOf(config, ids, pid); where != "" {
			findings = append(findings, fmt.Sprintf("process %d %s", pid, where))
		}
	}
	return findings
}

func slotPartOf(config slotConfig, ids map[string]string, pid int) string {
	if config.owns(userOf(pid)) {
		return "of one of its users"
	}
	for name, id := range ids {
		if now, err := namespaceOf(strconv.Itoa(pid), name); err == nil && now == id {
			return "in its " + name + " namespace"
		}
	}
	return ""
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

func mountsBelow(config slotConfig) []string {
	findings := []string{}
	for _, line := range strings.Split(readText("/proc/self/mountinfo"), "\n") {
		fields := strings.Fields(line)
		if len(fields) > 4 && strings.HasPrefix(fields[4], config.Folder+"/") && fields[4] != config.tree() {
			findings = append(findings, "a mount at "+fields[4])
		}
	}
	return findings
}
