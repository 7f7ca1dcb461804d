package main

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
)

type slotUsageReport struct {
	Version         int      `json:"version"`
	CPUSeconds      *float64 `json:"cpuSeconds"`
	PeakMemoryBytes *int64   `json:"peakMemoryBytes"`
	OOMKills        *int64   `json:"oomKills"`
}

// slotUsageOf tells what the slot has used so far; null is what cannot be read.
func slotUsageOf(config slotConfig, bases groupBases) slotUsageReport {
	groups := bases.of(config.Name)
	report := slotUsageReport{Version: groups.version}
	if groups.version == 1 {
		report.CPUSeconds = seconds(groups.number("cpuacct", "cpuacct.usage"))(1e9)
		report.PeakMemoryBytes = known(groups.number("memory", "memory.max_usage_in_bytes"))
		report.OOMKills = known(groups.keyed("memory", "memory.oom_control", "oom_kill"))
	} else {
		report.CPUSeconds = seconds(groups.keyed("cpu", "cpu.stat", "usage_usec"))(1e6)
		report.PeakMemoryBytes = known(groups.number("memory", "memory.peak"))
		report.OOMKills = known(groups.keyed("memory", "memory.events", "oom_kill"))
	}
	return report
}

func known(value int64, ok bool) *int64 {
	if !ok {
		return nil
	}
	return &value
}

func seconds(value int64, ok bool) func(perSecond float64) *float64 {
	return func(perSecond float64) *float64 {
		if !ok {
			return nil
		}
		result := float64(value) / perSecond
		return &result
	}
}

type slotProbe struct {
	Controllers []string `json:"controllers"`
	Version     int      `json:"version"`
	Environment []string `json:"environment"`
	Problem     string   `json:"problem"` // why slots cannot have users of their own
}

// prepareOwners sees to it that the owners of the container's files can be mapped.
func prepareOwners(config slotConfig) string {
	if !config.hasOwnIDs() || canMapOwners(config, "/") == nil {
		return ""
	}
	if err := buildTree(config); err != nil {
		return err.Error()
	}
	if err := canMapOwners(config, config.tree()); err != nil {
		return err.Error()
	}
	return ""
}

// probeSlots prints which limits can be kept here, and the environment that
// the container gives its programs.
func probeSlots(config slotConfig) error {
	runtime.LockOSThread()
	if err := prepareSlotFolder(config); err != nil {
		return err
	}
	problem := prepareOwners(config)
	if err := privateMounts(); err != nil {
		return err
	}
	bases := findGroupBases()
	probe := slotProbe{Controllers: []string{}, Version: bases.version, Environment: os.Environ(), Problem: problem}
	for _, controller := range slotControllers {
		if _, ok := bases.folders[controller]; ok {
			probe.Controllers = append(probe.Controllers, controller)
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(probe); err != nil {
		return fmt.Errorf("slot: print what was found: %w", err)
	}
	return nil
}
