// Command hermes-supervisor runs inside a sandbox and serves its harness:
// PROTOCOL.md describes how.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "hermes-supervisor:", err)
		os.Exit(1)
	}
}

func run(arguments []string) error {
	if len(arguments) == 1 && arguments[0] == "version" {
		fmt.Println(version)
		return nil
	}
	if len(arguments) > 0 && arguments[0] == "slot" {
		return slotCommand(arguments[1:])
	}
	if len(arguments) == 0 || arguments[0] != "serve" {
		return fmt.Errorf("usage: hermes-supervisor serve --state DIR [--orphan-ms N] [--lifetime-ms N] [--await-limits] [--expect-pid N] | slot ... | version")
	}
	flags := flag.NewFlagSet("serve", flag.ContinueOnError)
	state := flags.String("state", "", "private folder of this sandbox's supervisor")
	orphanMs := flags.Int64("orphan-ms", 60_000, "end after so long without a channel")
	lifetimeMs := flags.Int64("lifetime-ms", 0, "end after so long whatever happens; 0: never")
	await := flags.Bool("await-limits", false, "the first line of the input says both as {orphanMs, lifetimeMs}, when the time begins")
	expectPid := flags.Int("expect-pid", 0, "only join the supervisor that is this process, as seen from here")
	if err := flags.Parse(arguments[1:]); err != nil {
		return err
	}
	if *state == "" {
		return fmt.Errorf("serve: --state DIR is needed")
	}
	if *expectPid != 0 {
		return join(*state, *expectPid)
	}
	return serve(*state, serveLimits{*orphanMs, *lifetimeMs}, *await)
}
