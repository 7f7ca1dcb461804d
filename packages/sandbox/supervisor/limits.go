package main

import (
	"encoding/json"
	"fmt"
	"io"
)

// serveLimits say how long a supervisor lives; the keys are those of the line
// that `--await-limits` waits for.
type serveLimits struct {
	OrphanMs   int64 `json:"orphanMs"`   // end after so long without a channel
	LifetimeMs int64 `json:"lifetimeMs"` // end after so long whatever happens; 0: never
}

// awaitLimits reads them as the first line of the input. Frames follow on it,
// so not a byte more is taken. An end before that: nobody wants us any more.
func awaitLimits(input io.Reader) (serveLimits, error) {
	limits := serveLimits{}
	line, one := []byte{}, make([]byte, 1)
	for len(line) == 0 || line[len(line)-1] != '\n' {
		if n, err := input.Read(one); n == 0 {
			return limits, fmt.Errorf("serve: wait for the limits: %w", err)
		}
		line = append(line, one[0])
	}
	if err := json.Unmarshal(line, &limits); err != nil {
		return limits, fmt.Errorf("serve: the limits: %w", err)
	}
	return limits, nil
}
