package main

import (
	"archive/tar"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"syscall"
)

// extractor unpacks an archive beneath one folder. Each step is taken relative
// to the folder's descriptor (os.Root), so no link leads out of it, however it
// got there.
type extractor struct {
	root    *os.Root
	folders map[string]fs.FileMode // modes to set when all is in place
}

func extractTar(from io.Reader, target string) error {
	if err := os.MkdirAll(target, 0o777); err != nil {
		return err
	}
	root, err := os.OpenRoot(target)
	if err != nil {
		return err
	}
	defer root.Close()
	x := &extractor{root, map[string]fs.FileMode{}}
	if err := x.all(from); err != nil {
		return err
	}
	return x.finish()
}

func (x *extractor) all(from io.Reader) error {
	archive := tar.NewReader(from)
	for {
		header, err := archive.Next()
		if err == io.EOF {
			_, err = io.Copy(io.Discard, from) // the digest is over all bytes
			return err
		}
		if err != nil {
			return err
		}
		if err := x.entry(header, archive); err != nil {
			return err
		}
	}
}

// safeName gives the entry's name beneath the folder, or refuses it.
func safeName(name string) (string, error) {
	if strings.HasPrefix(name, "/") || strings.IndexByte(name, 0) >= 0 {
		return "", errEscape
	}
	for _, part := range strings.Split(name, "/") {
		if part == ".." {
			return "", errEscape
		}
	}
	return path.Clean(name), nil
}

func (x *extractor) entry(header *tar.Header, content io.Reader) error {
	name, err := safeName(header.Name)
	if err != nil {
		return err
	}
	mode := header.FileInfo().Mode()
	switch header.Typeflag {
	case tar.TypeDir:
		return x.folder(name, mode)
	case tar.TypeReg:
		return x.file(name, header, content)
	case tar.TypeSymlink:
		return x.replace(name, func() error { return x.root.Symlink(header.Linkname, name) })
	case tar.TypeLink:
		return x.hardLink(name, header.Linkname)
	case tar.TypeXGlobalHeader:
		return nil
	}
	return errEscape // devices and pipes
}

func (x *extractor) folder(name string, mode fs.FileMode) error {
	info, err := x.root.Lstat(name)
	if err == nil && !info.IsDir() {
		err = x.root.Remove(name)
	}
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	x.folders[name] = mode
	return x.root.MkdirAll(name, 0o777)
}

// replace removes what stands in an entry's place, and makes its parents.
func (x *extractor) replace(name string, make func() error) error {
	if err := x.root.MkdirAll(path.Dir(name), 0o777); err != nil {
		return err
	}
	err := make()
	if !os.IsExist(err) {
		return err
	}
	if info, statErr := x.root.Lstat(name); statErr == nil && info.IsDir() {
		return syscall.EEXIST
	}
	if err := x.root.Remove(name); err != nil && !os.IsNotExist(err) {
		return err
	}
	return make()
}

func (x *extractor) file(name string, header *tar.Header, content io.Reader) error {
	var file *os.File
	err := x.replace(name, func() (err error) {
		file, err = x.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		return err
	})
	if err != nil {
		return err
	}
	_, err = io.CopyBuffer(struct{ io.Writer }{file}, content, make([]byte, dataChunk))
	if err == nil {
		err = syscall.Fchmod(int(file.Fd()), uint32(header.Mode)&0o7777)
	}
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	if err == nil && !header.ModTime.IsZero() {
		err = x.root.Chtimes(name, header.ModTime, header.ModTime)
	}
	return err
}

func (x *extractor) hardLink(name, target string) error {
	target, err := safeName(target)
	if err != nil {
		return err
	}
	return x.replace(name, func() error { return x.root.Link(target, name) })
}

// finish sets the folders' modes last: some forbid writing into them.
func (x *extractor) finish() error {
	for name, mode := range x.folders {
		if err := x.root.Chmod(name, mode); err != nil {
			return err
		}
	}
	return nil
}
