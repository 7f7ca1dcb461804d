package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// account is a user to run as.
type account struct {
	uid, gid uint32
	groups   []uint32
}

type unsupportedError string

func (e unsupportedError) Error() string { return string(e) }

// findAccount reads /etc/passwd and /etc/group; nil: the supervisor's own user.
func findAccount(user string, ownUID int) (*account, error) {
	if user == "" {
		return nil, nil
	}
	found, err := lookUp(user)
	if err != nil {
		return nil, err
	}
	if int(found.uid) == ownUID {
		return nil, nil
	}
	if !canSwitch(found.uid) || !canSwitch(found.gid) {
		return nil, unsupportedError(fmt.Sprintf("user %s: this supervisor has not the rights to act as another user", user))
	}
	return found, nil
}

func lookUp(user string) (*account, error) {
	for _, fields := range readTable("/etc/passwd", 4) {
		if fields[0] == user || fields[2] == user {
			uid, gid := number(fields[2]), number(fields[3])
			return &account{uid, gid, groupsOf(fields[0], gid)}, nil
		}
	}
	uid, gid, hasGroup := strings.Cut(user, ":")
	id, err := strconv.ParseUint(uid, 10, 32)
	if err != nil {
		return nil, fmt.Errorf("unknown user %s", user)
	}
	group := uint32(id)
	if hasGroup {
		group = number(gid)
	}
	return &account{uint32(id), group, []uint32{group}}, nil
}

func groupsOf(name string, primary uint32) []uint32 {
	groups := []uint32{primary}
	for _, fields := range readTable("/etc/group", 4) {
		for _, member := range strings.Split(fields[3], ",") {
			if id := number(fields[2]); member == name && id != primary {
				groups = append(groups, id)
			}
		}
	}
	return groups
}

func readTable(path string, columns int) [][]string {
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close()
	rows := [][]string{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if fields := strings.Split(lines.Text(), ":"); len(fields) >= columns {
			rows = append(rows, fields)
		}
	}
	return rows
}

func number(text string) uint32 {
	value, err := strconv.ParseUint(text, 10, 32)
	if err != nil {
		return 65534 // a broken row never means root
	}
	return uint32(value)
}

func (a *account) credential() *syscall.Credential {
	return &syscall.Credential{Uid: a.uid, Gid: a.gid, Groups: a.groups, NoSetGroups: groupsAreFixed()}
}

// groupsAreFixed is true in a user namespace that denies setgroups.
func groupsAreFixed() bool {
	text, err := os.ReadFile("/proc/self/setgroups")
	return err == nil && strings.TrimSpace(string(text)) == "deny"
}

const setgidAndSetuid = 1<<6 | 1<<7

// canSwitch: we have the capabilities, and the id exists in our namespace.
func canSwitch(id uint32) bool {
	return ownCapabilities()&setgidAndSetuid == setgidAndSetuid && isMapped(id)
}

func ownCapabilities() (set uint64) {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), "CapEff:")
	fmt.Sscanf(strings.TrimSpace(rest), "%x", &set)
	return set
}

func isMapped(id uint32) bool {
	for _, line := range readTable("/proc/self/uid_map", 1) {
		var inside, outside, count uint32
		fmt.Sscan(line[0], &inside, &outside, &count)
		if id >= inside && id-inside < count {
			return true
		}
	}
	return false
}
