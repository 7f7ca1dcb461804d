package main

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// groupMount is a line of mountinfo about control groups.
type groupMount struct {
	root, place, kind string
	options           []string
}

// groupBases are the folders, by controller, below which groups of slots can be made.
type groupBases struct {
	version int
	folders map[string]string
}

// findGroupBases gives for each controller the folder in which groups can be
// made: that of our own group. It needs a mount namespace of our own.
func findGroupBases() groupBases {
	own := ownGroups()
	bases := map[string]string{}
	var unified *groupMount
	for _, one := range groupMounts() {
		if one.kind == "cgroup2" {
			unified = &one
			continue
		}
		for _, controller := range slotControllers {
			if _, known := bases[controller]; known || !slices.Contains(one.options, controller) {
				continue
			}
			if base := one.folderOf(own[controller]); makeWritable(one.place) && canMakeGroup(base) {
				bases[controller] = base
			}
		}
	}
	if len(bases) > 0 || unified == nil {
		return groupBases{1, bases}
	}
	return groupBases{2, unifiedBases(unified.folderOf(own[""]), unified.place)}
}

func groupMounts() []groupMount {
	found := []groupMount{}
	for _, line := range strings.Split(readText("/proc/self/mountinfo"), "\n") {
		before, after, ok := strings.Cut(line, " - ")
		fields, kinds := strings.Fields(before), strings.Fields(after)
		if !ok || len(fields) < 5 || len(kinds) < 3 || !strings.HasPrefix(kinds[0], "cgroup") {
			continue
		}
		found = append(found, groupMount{fields[3], fields[4], kinds[0], strings.Split(kinds[2], ",")})
	}
	return found
}

// ownGroups maps each controller to our group; "" is that of version 2.
func ownGroups() map[string]string {
	found := map[string]string{}
	for _, line := range strings.Split(readText("/proc/self/cgroup"), "\n") {
		parts := strings.SplitN(line, ":", 3)
		if len(parts) != 3 {
			continue
		}
		for _, controller := range strings.Split(parts[1], ",") {
			found[controller] = parts[2]
		}
	}
	return found
}

// folderOf finds a group below the mount. What lies outside of what is mounted is the mount's own root.
func (m groupMount) folderOf(group string) string {
	below, isBelow := strings.CutPrefix(group, strings.TrimSuffix(m.root, "/"))
	if !isBelow {
		return m.place
	}
	return filepath.Join(m.place, below)
}

func canMakeGroup(base string) bool {
	probe := filepath.Join(base, "hermes-slot-probe-"+strconv.Itoa(os.Getpid()))
	if os.Mkdir(probe, 0o755) != nil {
		return false
	}
	return os.Remove(probe) == nil
}

// unifiedBases is for version 2, where a group with processes of its own gives
// its children no controllers: ours then moves into a leaf beside the slots.
func unifiedBases(base, place string) map[string]string {
	bases := map[string]string{}
	base = strings.TrimSuffix(base, "/"+leafGroup)
	if !makeWritable(place) || !canMakeGroup(base) {
		return bases
	}
	if !hasControllers(base) {
		moveToLeaf(base)
		for _, controller := range []string{"memory", "pids", "cpu"} {
			writeControl(filepath.Join(base, "cgroup.subtree_control"), "+"+controller)
		}
	}
	enabled := strings.Fields(readText(filepath.Join(base, "cgroup.subtree_control")))
	for _, controller := range enabled {
		if slices.Contains(slotControllers, controller) {
			bases[controller] = base
		}
	}
	return bases
}

const leafGroup = "hermes-supervisors"

func hasControllers(base string) bool {
	enabled := strings.Fields(readText(filepath.Join(base, "cgroup.subtree_control")))
	return slices.Contains(enabled, "memory") && slices.Contains(enabled, "pids")
}

func moveToLeaf(base string) {
	leaf := filepath.Join(base, leafGroup)
	if err := os.Mkdir(leaf, 0o755); err != nil && !os.IsExist(err) {
		return
	}
	for _, pid := range strings.Fields(readText(filepath.Join(base, "cgroup.procs"))) {
		writeControl(filepath.Join(leaf, "cgroup.procs"), pid) // one that has ended meanwhile cannot be moved
	}
}
