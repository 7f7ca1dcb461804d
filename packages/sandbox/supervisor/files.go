package main

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// startFile runs a file operation or transfer beside everything else.
func (c *channel) startFile(f frame) {
	switch f.kind {
	case typeFileOp:
		var message fileOpMessage
		if c.parse(f, &message) {
			go c.asUser(f.id, message.User, message.Path, func() { c.operate(f.id, message) })
		}
	case typeFilePut:
		c.startPut(f)
	case typeFileGet:
		c.startGet(f)
	}
}

func (c *channel) parse(f frame, into any) bool {
	err := json.Unmarshal(f.payload, into)
	if err != nil {
		c.fail(f.id, "PROTOCOL", err.Error())
	}
	return err == nil
}

// operate does one operation and answers it.
func (c *channel) operate(id uint32, message fileOpMessage) {
	value, err := message.run()
	if err != nil {
		c.refuseFile(id, message.Path, err)
		return
	}
	c.send(jsonFrame(typeFileReply, id, fileValue{true, value}))
}

func (c *channel) refuseFile(id uint32, path string, err error) {
	c.send(jsonFrame(typeFileReply, id, fileFailure{false, fileCode(err), path, err.Error()}))
}

func (m *fileOpMessage) run() (any, error) {
	switch m.Op {
	case "stat":
		return statPath(m.Path)
	case "list":
		return listFolder(m.Path)
	case "mkdir":
		return nil, makeFolder(m.Path)
	case "remove":
		return nil, removePath(m.Path, m.Recursive)
	case "rename":
		return nil, renamePath(m.Path, m.To)
	}
	return nil, errors.New("unknown operation " + m.Op)
}

func statPath(path string) (any, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	return describeFile(path, info), nil
}

func describeFile(path string, info fs.FileInfo) fileStat {
	made := fileStat{Path: path, Type: "other", Size: info.Size(), Mode: unixMode(info), MtimeMs: float64(info.ModTime().UnixMicro()) / 1000}
	switch {
	case info.Mode().IsRegular():
		made.Type = "file"
	case info.IsDir():
		made.Type = "directory"
	case info.Mode()&fs.ModeSymlink != 0:
		made.Type = "link"
		if target, err := os.Readlink(path); err == nil {
			made.LinkTarget = &target
		}
	}
	return made
}

// unixMode gives permission bits with setuid, setgid and sticky.
func unixMode(info fs.FileInfo) uint32 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return stat.Mode & 0o7777
	}
	return uint32(info.Mode().Perm())
}

func listFolder(path string) (any, error) {
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	list := make([]fileStat, 0, len(entries))
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil {
			continue // removed meanwhile
		}
		list = append(list, describeFile(strings.TrimSuffix(path, "/")+"/"+entry.Name(), info))
	}
	return list, nil
}

func makeFolder(path string) error {
	err := os.MkdirAll(path, 0o777)
	if info, statErr := os.Stat(path); err != nil && statErr == nil && !info.IsDir() {
		return syscall.EEXIST
	}
	return err
}

func removePath(path string, recursive bool) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return os.Remove(path)
	}
	if !recursive {
		return syscall.EISDIR
	}
	return os.RemoveAll(path)
}

func renamePath(from, to string) error {
	if _, err := os.Lstat(from); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return err
	}
	return syscall.Rename(from, to) // os.Rename has opinions about folders of its own
}
