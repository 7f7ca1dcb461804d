package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// A container's root is an overlay, whose owners cannot be mapped. For such
// roots slots stand on a copy of all that is not content: folders, links, and
// files of the right size and owner that point to their content below. It is
// made once, of memory, and takes about a kilobyte a file.
//
// buildTree makes it; an earlier one stays.
func buildTree(config slotConfig) error {
	place := config.tree()
	if err := os.Mkdir(place, 0o700); err != nil {
		if os.IsExist(err) {
			return nil
		}
		return err
	}
	if err := mount("tmpfs", place, "tmpfs", syscall.MS_NODEV|syscall.MS_NOSUID, "mode=755,nr_inodes=0"); err != nil {
		return err
	}
	hidden := map[string]bool{}
	for _, one := range config.hidden() {
		hidden[one] = true
	}
	var root syscall.Stat_t
	if err := syscall.Lstat("/", &root); err != nil {
		return err
	}
	copier := treeCopier{place: place, hidden: hidden, device: root.Dev}
	if err := copier.copyAttributes("/", &root); err != nil {
		return err
	}
	return copier.copyEntries("/")
}

type treeCopier struct {
	place  string
	hidden map[string]bool
	device uint64
}

func (t treeCopier) copyEntries(folder string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		path := filepath.Join(folder, entry.Name())
		if t.hidden[path] {
			continue
		}
		if err := t.copyEntry(path); err != nil {
			return fmt.Errorf("slot: copy %s: %w", path, err)
		}
	}
	return nil
}

// copyEntry leaves out what is no file, folder or link. Of a mounted folder the place remains.
func (t treeCopier) copyEntry(path string) error {
	var stat syscall.Stat_t
	if err := syscall.Lstat(path, &stat); err != nil {
		return err
	}
	copied := filepath.Join(t.place, path)
	switch stat.Mode & syscall.S_IFMT {
	case syscall.S_IFLNK:
		target, err := os.Readlink(path)
		if err != nil {
			return err
		}
		if err := os.Symlink(target, copied); err != nil {
			return err
		}
		return os.Lchown(copied, int(stat.Uid), int(stat.Gid))
	case syscall.S_IFREG:
		if err := t.copyFile(path, copied, &stat); err != nil {
			return err
		}
		return t.copyAttributes(path, &stat)
	case syscall.S_IFDIR:
		if err := os.Mkdir(copied, 0o700); err != nil {
			return err
		}
		if stat.Dev == t.device {
			if err := t.copyEntries(path); err != nil {
				return err
			}
		}
		return t.copyAttributes(path, &stat)
	}
	return nil
}

// copyFile makes a file whose content the overlay finds by its path below.
func (t treeCopier) copyFile(path, copied string, stat *syscall.Stat_t) error {
	file, err := os.OpenFile(copied, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer file.Close()
	if stat.Dev != t.device || stat.Size == 0 {
		return nil // a file that an engine has mounted there is not seen in slots
	}
	if err := file.Truncate(stat.Size); err != nil {
		return err
	}
	if err := syscall.Setxattr(copied, "trusted.overlay.metacopy", nil, 0); err != nil {
		return err
	}
	return syscall.Setxattr(copied, "trusted.overlay.redirect", []byte(path), 0)
}

const capabilityAttribute = "security.capability"

func (t treeCopier) copyAttributes(path string, stat *syscall.Stat_t) error {
	copied := filepath.Join(t.place, path)
	if err := os.Lchown(copied, int(stat.Uid), int(stat.Gid)); err != nil {
		return err
	}
	if err := syscall.Chmod(copied, stat.Mode&0o7777); err != nil {
		return err
	}
	value := make([]byte, 64)
	if n, err := syscall.Getxattr(path, capabilityAttribute, value); err == nil {
		if err := syscall.Setxattr(copied, capabilityAttribute, value[:n], 0); err != nil && !errors.Is(err, syscall.EPERM) {
			return err
		}
	}
	times := []syscall.Timespec{stat.Atim, stat.Mtim}
	return syscall.UtimesNano(copied, times)
}
