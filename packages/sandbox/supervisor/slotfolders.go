package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// Folders that every program expects, with the mode of those that are missing.
var slotFolders = []struct {
	path string
	mode uint32
}{
	{"/proc", 0o555}, {"/sys", 0o555}, {"/dev", 0o755}, {"/run", 0o755}, {"/etc", 0o755}, {"/root", 0o700},
	{"/tmp", 0o1777}, {"/var", 0o755}, {"/var/tmp", 0o1777}, {slotPrivateDir, 0o711},
}

func makeFolders(config slotConfig) error {
	for _, one := range slotFolders {
		if err := ensureFolder(config, one.path, one.mode); err != nil {
			return err
		}
	}
	return nil
}

// ensureFolder gives a hidden or missing folder its mode; one that is there stays as it is.
func ensureFolder(config slotConfig, path string, mode uint32) error {
	inside := filepath.Join(config.root(), path)
	info, err := os.Lstat(inside)
	if err == nil && info.Mode()&os.ModeSymlink != 0 {
		return nil // as in images where /var/tmp leads to /tmp
	}
	if err == nil && info.IsDir() {
		return nil
	}
	if err := os.Mkdir(inside, 0o755); err != nil {
		return fmt.Errorf("slot: make %s: %w", path, err)
	}
	if err := config.giveToRoot(inside); err != nil {
		return err
	}
	return syscall.Chmod(inside, mode)
}

// makeDevices gives the slot the harmless devices, terminals and shared memory of its own.
func makeDevices(config slotConfig) error {
	dev := filepath.Join(config.root(), "dev")
	if err := mount("tmpfs", dev, "tmpfs", syscall.MS_NOSUID|syscall.MS_NOEXEC, config.ownedBy("mode=755,size=64k", 0)); err != nil {
		return err
	}
	for _, name := range []string{"null", "zero", "full", "random", "urandom", "tty"} {
		if err := bindFile("/dev/"+name, filepath.Join(dev, name), 0); err != nil {
			return err
		}
	}
	for _, name := range []string{"pts", "shm"} {
		if err := os.Mkdir(filepath.Join(dev, name), 0o755); err != nil {
			return err
		}
	}
	links := map[string]string{
		"ptmx": "pts/ptmx", "fd": "/proc/self/fd", "stdin": "/proc/self/fd/0", "stdout": "/proc/self/fd/1", "stderr": "/proc/self/fd/2",
	}
	for name, target := range links {
		if err := os.Symlink(target, filepath.Join(dev, name)); err != nil {
			return err
		}
	}
	const noPrograms = syscall.MS_NOSUID | syscall.MS_NOEXEC
	if err := mount("devpts", filepath.Join(dev, "pts"), "devpts", noPrograms, fmt.Sprintf("newinstance,ptmxmode=0666,mode=0620,gid=%d", config.outside(5))); err != nil {
		return err
	}
	size := fmt.Sprintf("mode=1777,size=%d", config.ShmBytes)
	return mount("shm", filepath.Join(dev, "shm"), "tmpfs", noPrograms|syscall.MS_NODEV, size)
}

// ownedBy completes the options of a file system that belongs to a user of the slot.
func (c slotConfig) ownedBy(options string, id int) string {
	return fmt.Sprintf("%s,uid=%d,gid=%d", options, c.outside(id), c.outside(id))
}

// bindFile makes a file of ours visible at another path.
func bindFile(from, to string, flags uintptr) error {
	file, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("slot: make %s: %w", to, err)
	}
	file.Close()
	if err := mount(from, to, "", syscall.MS_BIND, ""); err != nil {
		return err
	}
	if flags == 0 {
		return nil
	}
	return mount("", to, "", syscall.MS_REMOUNT|syscall.MS_BIND|flags, "")
}

// The supervisor's scripts and records: a slot that has filled its disk still answers.
const privateSize = "mode=711,size=64m"

func makePrivateDir(config slotConfig) error {
	folder := filepath.Join(config.root(), slotPrivateDir)
	if err := mount("tmpfs", folder, "tmpfs", syscall.MS_NOSUID|syscall.MS_NODEV, config.ownedBy(privateSize, 0)); err != nil {
		return err
	}
	program, err := os.Executable()
	if err != nil {
		return err
	}
	return bindFile(program, filepath.Join(folder, "hermes-supervisor"), syscall.MS_RDONLY|syscall.MS_NOSUID|syscall.MS_NODEV)
}

// makeNames writes what container engines put in place by mounts, which an overlay does not see.
func makeNames(config slotConfig) error {
	hosts := fmt.Sprintf("127.0.0.1\tlocalhost %s\n::1\tlocalhost ip6-localhost\n", config.Hostname)
	names := map[string]string{"hosts": hosts, "hostname": config.Hostname + "\n"}
	if config.Network == "shared" {
		names["resolv.conf"] = readText("/etc/resolv.conf")
		names["hosts"] = hosts + withoutLoopback(readText("/etc/hosts"))
	}
	for name, text := range names {
		path := filepath.Join(config.root(), "etc", name)
		os.Remove(path) // a link would lead elsewhere
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return fmt.Errorf("slot: write /etc/%s: %w", name, err)
		}
		if err := config.giveToRoot(path); err != nil {
			return err
		}
	}
	return nil
}

func readText(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return string(text)
}

func withoutLoopback(hosts string) string {
	kept := []string{}
	for _, line := range strings.SplitAfter(hosts, "\n") {
		if !strings.HasPrefix(line, "127.") && !strings.HasPrefix(line, "::1") {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "")
}
