package main

import (
	"fmt"
	"path/filepath"
	"syscall"
)

// join passes our channel on to the supervisor that is the expected process,
// and never becomes one itself. The folder is within reach of the sandbox's own
// processes, so whoever listens there has to prove which process it is. A client
// learns of a refusal by an error frame.
func join(stateDir string, expectedPid int) error {
	keepDescriptors()
	if err := prctl(prSetDumpable, 0); err != nil {
		return err
	}
	connection, err := dial(filepath.Join(stateDir, "sock"))
	if err != nil {
		return refuseJoin("GONE", fmt.Errorf("no supervisor listens in %s: %w", stateDir, err))
	}
	peer, err := syscall.GetsockoptUcred(connection, syscall.SOL_SOCKET, syscall.SO_PEERCRED)
	if err != nil {
		return refuseJoin("AUTH", fmt.Errorf("who listens in %s cannot be found out: %w", stateDir, err))
	}
	if int(peer.Pid) != expectedPid {
		return refuseJoin("AUTH", fmt.Errorf("process %d listens in %s, not the supervisor, which is process %d", peer.Pid, stateDir, expectedPid))
	}
	return lendChannel(connection)
}

func refuseJoin(code string, reason error) error {
	if err := writeBoth(1, jsonFrame(typeError, 0, errorMessage{code, reason.Error()}), nil); err != nil {
		return err
	}
	return reason
}
