package main

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// writeFile stores a file whole or not at all: beside its place, then renamed.
// A link is followed, as by any program that writes.
func writeFile(from interface{ next() ([]byte, error) }, path string, mode *uint32, maxBytes *int64) error {
	place, info, err := resolvePlace(path)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(place), 0o777); err != nil {
		return err
	}
	partial, err := os.OpenFile(filepath.Join(filepath.Dir(place), ".hermes-"+randomHex(8)), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	err = fillFile(from, partial, maxBytes)
	if err == nil {
		err = adjust(partial, mode, info)
	}
	if closeErr := partial.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(partial.Name(), place)
	}
	if err != nil {
		os.Remove(partial.Name())
	}
	return err
}

// resolvePlace follows links at the end of the path, also one to a file that
// does not exist yet; info is nil for a new file.
func resolvePlace(path string) (string, fs.FileInfo, error) {
	for range 40 {
		info, err := os.Lstat(path)
		if os.IsNotExist(err) && !endsInSlash(path) {
			return path, nil, nil
		}
		if err != nil {
			return "", nil, err
		}
		if info.IsDir() || endsInSlash(path) {
			return "", nil, syscall.EISDIR
		}
		if info.Mode().IsRegular() {
			return path, info, nil
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			return "", nil, syscall.EEXIST // a device, pipe or socket is no place for a file
		}
		target, err := os.Readlink(path)
		if err != nil {
			return "", nil, err
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(path), target)
		}
		path = target
	}
	return "", nil, syscall.ELOOP
}

func endsInSlash(path string) bool { return path == "" || path[len(path)-1] == '/' }

func fillFile(from interface{ next() ([]byte, error) }, into *os.File, maxBytes *int64) error {
	var size int64
	for {
		piece, err := from.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if size += int64(len(piece)); maxBytes != nil && size > *maxBytes {
			return syscall.EFBIG
		}
		if _, err := into.Write(piece); err != nil {
			return err
		}
	}
}

// adjust gives the wanted mode, or keeps mode and owner of what is replaced.
func adjust(file *os.File, mode *uint32, old fs.FileInfo) error {
	if old != nil {
		if stat, ok := old.Sys().(*syscall.Stat_t); ok {
			file.Chown(int(stat.Uid), int(stat.Gid)) // only root can; others own what they write
		}
		if mode == nil {
			kept := unixMode(old)
			mode = &kept
		}
	}
	if mode == nil {
		return nil
	}
	return syscall.Fchmod(int(file.Fd()), *mode&0o7777)
}
