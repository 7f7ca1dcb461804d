package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"path/filepath"
)

// slotConfig describes one slot: a sandbox of its own inside a container or a
// host, made by this program out of namespaces and an overlay.
type slotConfig struct {
	Name      string   `json:"name"`      // one word, never used again in this container
	Index     int      `json:"index"`     // of its place, from 0: nobody has the same at the same time
	IDs       string   `json:"ids"`       // "own": its users are others outside; "shared": the container's
	Folder    string   `json:"folder"`    // ours, below the container's root; absolute
	Workdir   string   `json:"workdir"`   // where commands start
	User      string   `json:"user"`      // who owns the working directory; empty: root
	Hostname  string   `json:"hostname"`  //
	Network   string   `json:"network"`   // "none": its own, without a way out; "shared": the container's
	Show      []string `json:"show"`      // what of the container's root is seen; empty: all
	Hide      []string `json:"hide"`      // what of it is not, in any case
	DiskBytes int64    `json:"diskBytes"` // of all that it writes
	ShmBytes  int64    `json:"shmBytes"`

	Limits  slotLimits `json:"limits"`
	Require bool       `json:"require"` // a limit that cannot be kept is an error
}

// slotLimits are kept by control groups; 0: none.
type slotLimits struct {
	MemoryBytes int64 `json:"memoryBytes"`
	Pids        int64 `json:"pids"`
	MilliCPU    int64 `json:"milliCpu"`
}

const slotUsage = "usage: hermes-supervisor slot run|tend|dial|probe --config JSON [-- serve ...]"

// slotCommand is `hermes-supervisor slot NAME`.
func slotCommand(arguments []string) error {
	if len(arguments) == 0 {
		return fmt.Errorf(slotUsage)
	}
	flags := flag.NewFlagSet("slot", flag.ContinueOnError)
	text := flags.String("config", "{}", "the slot, as JSON")
	port := flags.Int("port", 0, "of a server in the slot, for dial")
	if err := flags.Parse(arguments[1:]); err != nil {
		return err
	}
	var config slotConfig
	if err := json.Unmarshal([]byte(*text), &config); err != nil {
		return fmt.Errorf("slot: --config: %w", err)
	}
	switch arguments[0] {
	case "run":
		return runSlot(config, flags.Args())
	case "init":
		return enterSlot(config, flags.Args())
	case "tend":
		return startTending()
	case "tending":
		return tendSlots()
	case "dial":
		return dialSlot(config, *port)
	case "probe":
		return probeSlots(config)
	}
	return fmt.Errorf(slotUsage)
}

// Every slot mounts its storage here, each in a mount namespace of its own.
func (c slotConfig) mountPoint() string { return filepath.Join(c.Folder, "mnt") }
func (c slotConfig) root() string       { return filepath.Join(c.mountPoint(), "root") }
func (c slotConfig) record() string     { return filepath.Join(c.Folder, "slot-"+c.Name) }

// Inside: the supervisor's own folder.
const slotPrivateDir = "/.hermes"
