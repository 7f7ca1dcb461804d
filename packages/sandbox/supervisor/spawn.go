package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// command is what spawn needs to know.
type command struct {
	path  string
	argv  []string
	env   []string
	cwd   string
	who   *account // nil: as the supervisor
	tty   bool
	files [3]uintptr
	extra []uintptr // descriptors 3 and up
}

// fork starts the command in a session of its own.
func (c *command) fork() (int, error) {
	attributes := &syscall.ProcAttr{
		Dir: c.cwd, Env: c.env,
		Files: append(c.files[:], c.extra...),
		Sys:   &syscall.SysProcAttr{Setsid: true, Setctty: c.tty},
	}
	if c.who != nil {
		attributes.Sys.Credential = c.who.credential()
	}
	pid, err := syscall.ForkExec(c.path, c.argv, attributes)
	if errors.Is(err, syscall.ENOEXEC) { // a script without an interpreter line: as execvp does
		pid, err = syscall.ForkExec("/bin/sh", append([]string{"sh", c.path}, c.argv[1:]...), attributes)
	}
	if err == nil {
		preferForKill(pid)
	}
	return pid, err
}

// preferForKill makes the kernel's OOM killer take the child before us.
func preferForKill(pid int) {
	fd, err := syscall.Open(fmt.Sprintf("/proc/%d/oom_score_adj", pid), syscall.O_WRONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return // no /proc, or an old kernel: the default order stands
	}
	syscall.Write(fd, childScore)
	syscall.Close(fd)
}

var childScore = scoreAboveOwn()

func scoreAboveOwn() []byte {
	var own int
	if text, err := os.ReadFile("/proc/self/oom_score_adj"); err == nil {
		fmt.Sscan(string(text), &own)
	}
	return []byte(fmt.Sprint(min(1000, own+200)))
}

const defaultPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

// findProgram looks a command up in the PATH of the child's own environment.
func findProgram(name, cwd string, env map[string]string) (string, error) {
	if strings.Contains(name, "/") {
		return name, nil
	}
	path, set := env["PATH"]
	if !set {
		path = defaultPath
	}
	found := error(syscall.ENOENT)
	for _, dir := range filepath.SplitList(path) {
		candidate := filepath.Join(dir, name)
		if !filepath.IsAbs(candidate) {
			candidate = filepath.Join(cwd, candidate)
		}
		err := isProgram(candidate)
		if err == nil {
			return candidate, nil
		}
		if err == syscall.EACCES {
			found = err
		}
	}
	return "", found
}

func isProgram(path string) error {
	var stat syscall.Stat_t
	if err := syscall.Stat(path, &stat); err != nil {
		return err
	}
	if stat.Mode&syscall.S_IFMT != syscall.S_IFREG || stat.Mode&0o111 == 0 {
		return syscall.EACCES
	}
	return nil
}

// findShell prefers bash unless sh was asked for.
func findShell(wanted string, env map[string]string) (path, name string) {
	if wanted != "sh" {
		for _, candidate := range []string{"/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash"} {
			if isProgram(candidate) == nil {
				return candidate, "bash"
			}
		}
		if found, err := findProgram("bash", "/", env); err == nil {
			return found, "bash"
		}
	}
	if isProgram("/bin/sh") == nil {
		return "/bin/sh", "sh"
	}
	if found, err := findProgram("sh", "/", env); err == nil {
		return found, "sh"
	}
	return "/bin/sh", "sh"
}

func environment(env map[string]string, mark string) []string {
	list := make([]string, 0, len(env)+1)
	for key, value := range env {
		if key != "HERMES_EXEC" {
			list = append(list, key+"="+value)
		}
	}
	return append(list, "HERMES_EXEC="+mark)
}

// checkCwd gives a clear message where exec itself would only say ENOENT.
func checkCwd(cwd string) error {
	if cwd == "" {
		return nil
	}
	info, err := os.Stat(cwd)
	if err != nil {
		return fmt.Errorf("working directory %s: %w", cwd, errors.Unwrap(err))
	}
	if !info.IsDir() {
		return fmt.Errorf("working directory %s: not a directory", cwd)
	}
	return nil
}
