package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// slotGroups are the control groups of one slot: a folder per controller, the
// same one for all in version 2.
type slotGroups struct {
	version int
	folders map[string]string
}

var slotControllers = []string{"memory", "pids", "cpu", "cpuacct"}

// makeSlotGroups makes them below our own and sets the limits.
func makeSlotGroups(config slotConfig) (*slotGroups, error) {
	groups := findGroupBases().of(config.Name)
	for _, folder := range groups.folders {
		if err := os.Mkdir(folder, 0o755); err != nil && !os.IsExist(err) {
			return nil, fmt.Errorf("slot: make its control group: %w", err)
		}
	}
	for _, one := range config.Limits.files(groups.version) {
		err := groups.write(one.controller, one.file, one.value)
		if err != nil && config.Require && !one.optional {
			groups.remove()
			return nil, fmt.Errorf("slot: keep the limit of %s: %w", one.controller, err)
		}
	}
	return groups, nil
}

// of gives the groups of one slot, which may be there or not.
func (b groupBases) of(name string) *slotGroups {
	groups := &slotGroups{b.version, map[string]string{}}
	for controller, base := range b.folders {
		groups.folders[controller] = filepath.Join(base, "hermes-slot-"+name)
	}
	return groups
}

type limitFile struct {
	controller, file, value string
	optional                bool
}

const cpuPeriodUs = 100_000

func (l slotLimits) files(version int) []limitFile {
	list := []limitFile{}
	add := func(controller, file string, value any, optional bool) {
		list = append(list, limitFile{controller, file, fmt.Sprint(value), optional})
	}
	quota := max(1000, l.MilliCPU*cpuPeriodUs/1000)
	if l.MemoryBytes > 0 && version == 1 {
		add("memory", "memory.limit_in_bytes", l.MemoryBytes, false)
		// Memory and swap together: else the limit only moves pages to the disk.
		add("memory", "memory.memsw.limit_in_bytes", l.MemoryBytes, true)
	} else if l.MemoryBytes > 0 {
		add("memory", "memory.max", l.MemoryBytes, false)
		add("memory", "memory.swap.max", 0, true)
	}
	if l.MilliCPU > 0 && version == 1 {
		add("cpu", "cpu.cfs_period_us", cpuPeriodUs, false)
		add("cpu", "cpu.cfs_quota_us", quota, false)
	} else if l.MilliCPU > 0 {
		add("cpu", "cpu.max", fmt.Sprintf("%d %d", quota, cpuPeriodUs), false)
	}
	if l.Pids > 0 {
		add("pids", "pids.max", l.Pids, false)
	}
	return list
}

func (g *slotGroups) write(controller, file, value string) error {
	folder, ok := g.folders[controller]
	if !ok {
		return fmt.Errorf("there is no control group for it that may be written")
	}
	return writeControl(filepath.Join(folder, file), value)
}

func writeControl(path, value string) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = file.WriteString(value)
	return err
}

// take puts a process in, before it has children.
func (g *slotGroups) take(pid int) error {
	for controller, folder := range g.folders {
		if err := writeControl(filepath.Join(folder, "cgroup.procs"), strconv.Itoa(pid)); err != nil {
			return fmt.Errorf("slot: enter the control group of %s: %w", controller, err)
		}
	}
	return nil
}

const removeGroupLimit = 5 * time.Second

// remove waits for the last of its processes, which the kernel buries a little
// later than it ends them.
func (g *slotGroups) remove() error {
	deadline := time.Now().Add(removeGroupLimit)
	for _, folder := range g.folders {
		for {
			err := os.Remove(folder)
			if err == nil || os.IsNotExist(err) {
				break
			}
			if time.Now().After(deadline) {
				return fmt.Errorf("remove %s: %w", folder, err)
			}
			time.Sleep(2 * time.Millisecond)
		}
	}
	return nil
}

func (g *slotGroups) number(controller, file string) (int64, bool) {
	folder, ok := g.folders[controller]
	if !ok {
		return 0, false
	}
	value, err := strconv.ParseInt(strings.TrimSpace(readText(filepath.Join(folder, file))), 10, 64)
	return value, err == nil
}

// keyed reads `KEY VALUE` out of a file of lines.
func (g *slotGroups) keyed(controller, file, key string) (int64, bool) {
	folder, ok := g.folders[controller]
	if !ok {
		return 0, false
	}
	for _, line := range strings.Split(readText(filepath.Join(folder, file)), "\n") {
		if name, value, found := strings.Cut(line, " "); found && name == key {
			number, err := strconv.ParseInt(value, 10, 64)
			return number, err == nil
		}
	}
	return 0, false
}

// makeWritable lifts the write protection that container engines put on
// control groups; only for this thread's mount namespace.
func makeWritable(place string) bool {
	if syscall.Access(place, 2) == nil {
		return true
	}
	return syscall.Mount("", place, "", syscall.MS_REMOUNT|syscall.MS_BIND|syscall.MS_NOSUID|syscall.MS_NODEV|syscall.MS_NOEXEC, "") == nil &&
		syscall.Access(place, 2) == nil
}
