package main

type session struct{}

func (c *channel) openSession(f frame) { c.fail(f.id, "UNSUPPORTED", "sessions") }
func (e *execution) runInSession()     { e.refuse("UNSUPPORTED", "sessions") }
func (s *server) endSessions()         {}
func (s *server) removeState()         {}
func (c *channel) startFile(f frame)   { c.fail(f.id, "UNSUPPORTED", "files") }
func (e *execution) connectTerminal(plan *command) ([]int, error) {
	return nil, unsupportedError("tty")
}
func (e *execution) resize(f frame) {}
