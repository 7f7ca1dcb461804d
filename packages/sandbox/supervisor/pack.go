package main

import (
	"archive/tar"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"syscall"
)

// sendTree sends a folder as a tar archive; names are relative to it. Links
// are sent as links; sockets, pipes and devices are left out.
func (t *getTransfer) sendTree() {
	root, err := openFolder(t.message.Path)
	if err != nil {
		t.channel.refuseFile(t.id, t.message.Path, err)
		return
	}
	defer root.Close()
	t.channel.send(jsonFrame(typeFileReply, t.id, fileValue{true, nil}))
	frames := &frameWriter{transfer: t}
	archive := tar.NewWriter(frames)
	err = packFolder(archive, root, ".")
	if err == nil {
		err = errors.Join(archive.Close(), frames.flush())
	}
	t.end(err)
}

func openFolder(name string) (*os.Root, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, syscall.ENOTDIR
	}
	return os.OpenRoot(name)
}

func packFolder(archive *tar.Writer, root *os.Root, folder string) error {
	opened, err := root.Open(folder)
	if err != nil {
		return err
	}
	entries, err := opened.ReadDir(-1)
	opened.Close()
	if err != nil {
		return err
	}
	for _, entry := range entries {
		err := packEntry(archive, root, path.Join(folder, entry.Name()))
		if err != nil && !os.IsNotExist(err) {
			return err
		}
	}
	return nil
}

func packEntry(archive *tar.Writer, root *os.Root, name string) error {
	info, err := root.Lstat(name)
	if err != nil {
		return err
	}
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := root.Readlink(name)
		if err != nil {
			return err
		}
		return writeHeader(archive, info, name, target)
	case info.IsDir():
		if err := writeHeader(archive, info, name+"/", ""); err != nil {
			return err
		}
		return packFolder(archive, root, name)
	case info.Mode().IsRegular():
		return packFile(archive, root, name)
	}
	return nil
}

func writeHeader(archive *tar.Writer, info fs.FileInfo, name, target string) error {
	header, err := tar.FileInfoHeader(info, target)
	if err != nil {
		return err
	}
	header.Name = name
	header.Uid, header.Gid, header.Uname, header.Gname = 0, 0, "", ""
	return archive.WriteHeader(header)
}

// packFile sends as many bytes as its header says: a file that shrinks
// meanwhile is filled up with zeros.
func packFile(archive *tar.Writer, root *os.Root, name string) error {
	file, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return err
	}
	if err := writeHeader(archive, info, name, ""); err != nil {
		return err
	}
	_, err = io.CopyN(archive, io.MultiReader(file, zeros{}), info.Size())
	return err
}

type zeros struct{}

func (zeros) Read(into []byte) (int, error) {
	clear(into)
	return len(into), nil
}

// frameWriter cuts an archive into data frames.
type frameWriter struct {
	transfer *getTransfer
	space    []byte
	used     int
}

func (w *frameWriter) Write(bytes []byte) (int, error) {
	for rest := bytes; len(rest) > 0; {
		if w.space == nil {
			w.space, w.used = w.transfer.space(), 0
		}
		n := copy(w.space[w.used:], rest)
		w.used += n
		rest = rest[n:]
		if w.used == len(w.space) {
			if err := w.flush(); err != nil {
				return 0, err
			}
		}
	}
	return len(bytes), nil
}

func (w *frameWriter) flush() error {
	if w.space == nil || w.used == 0 {
		return nil
	}
	w.space = nil
	if limit := w.transfer.message.MaxBytes; limit != nil && w.transfer.digest.size+int64(w.used) > *limit {
		return syscall.EFBIG
	}
	if !w.transfer.push(w.used) {
		return io.ErrClosedPipe
	}
	return nil
}
