package main

import (
	"bufio"
	"fmt"
	"io"
)

// textReader reads the fallback's frames: "TYPE ID LENGTH\n" and the bytes.
func textReader(out io.Reader) func() (frame, error) {
	reader := bufio.NewReader(out)
	return func() (frame, error) {
		var f frame
		var length int
		line, err := reader.ReadString('\n')
		if err != nil {
			return f, err
		}
		if _, err := fmt.Sscanf(line, "%x %d %d\n", &f.kind, &f.id, &length); err != nil {
			return f, fmt.Errorf("header %q: %w", line, err)
		}
		f.payload = make([]byte, length)
		_, err = io.ReadFull(reader, f.payload)
		return f, err
	}
}
