package main

import (
	"os"
)

// serve joins the living supervisor of the folder, or becomes it.
func serve(stateDir string, orphanMs int64) error {
	if err := shieldSelf(); err != nil {
		return err
	}
	if err := os.MkdirAll(stateDir, 0o700); err != nil {
		return err
	}
	s, err := newServer(stateDir, orphanMs)
	if err != nil {
		return err
	}
	handleSignals(func() { s.shutdown(2000) })
	s.serveChannel(newChannel(s, 0, 1))
	select {}
}
