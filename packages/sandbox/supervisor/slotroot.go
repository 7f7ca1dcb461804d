package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// buildSlotRoot mounts what will be the slot's root: the container's below, all
// that the slot writes above it, on a file system of a fixed size.
func buildSlotRoot(config slotConfig) error {
	place := config.mountPoint()
	size := fmt.Sprintf("mode=711,size=%d,nr_inodes=%d", config.DiskBytes, max(1024, config.DiskBytes/8192))
	if err := mount("tmpfs", place, "tmpfs", syscall.MS_NODEV|syscall.MS_NOSUID, size); err != nil {
		return err
	}
	for _, name := range []string{"upper", "work", "lower", "root"} {
		if err := os.Mkdir(filepath.Join(place, name), 0o755); err != nil {
			return err
		}
	}
	layers, err := mountLower(config)
	if err != nil {
		return err
	}
	layers += fmt.Sprintf(",upperdir=%s/upper,workdir=%s/work", place, place)
	if err := mount("overlay", config.root(), "overlay", syscall.MS_NODEV, layers); err != nil {
		return err
	}
	for _, step := range []func(slotConfig) error{makeFolders, makeDevices, makePrivateDir, makeNames, showKernelFolders} {
		if err := step(config); err != nil {
			return err
		}
	}
	return nil
}

// mountLower gives the layers below: the container's root or its copy, with the owners that the slot's users have.
func mountLower(config slotConfig) (string, error) {
	upper := filepath.Join(config.mountPoint(), "upper")
	if err := config.giveToRoot(upper); err != nil {
		return "", err
	}
	if !config.hasOwnIDs() {
		return "lowerdir=/", hidePlaces(config)
	}
	lower := filepath.Join(config.mountPoint(), "lower")
	if _, err := os.Stat(config.tree()); err == nil {
		return "metacopy=on,lowerdir=" + lower + "::/", mountMapped(config, config.tree(), lower)
	}
	if err := mountMapped(config, "/", lower); err != nil {
		return "", err
	}
	return "lowerdir=" + lower, hidePlaces(config)
}

// mount says in its error what was mounted where.
func mount(source, target, kind string, flags uintptr, data string) error {
	if err := syscall.Mount(source, target, kind, flags, data); err != nil {
		return fmt.Errorf("slot: mount %s at %s: %w", strings.TrimSpace(kind+" "+source), target, err)
	}
	return nil
}

// hidePlaces covers what the slot shall not see of the container's root. A
// folder that is marked so in the upper layer is not merged with one below.
func hidePlaces(config slotConfig) error {
	for _, place := range config.hidden() {
		if err := hidePlace(config, place); err != nil {
			return fmt.Errorf("slot: hide %s: %w", place, err)
		}
	}
	return nil
}

func (c slotConfig) hidden() []string {
	list := append([]string{c.Folder, slotPrivateDir}, c.Hide...)
	if len(c.Show) > 0 {
		list = append(list, placesBeside(c.Show)...)
	}
	return list
}

func hidePlace(config slotConfig, place string) error {
	upper := filepath.Join(config.mountPoint(), "upper")
	info, err := os.Lstat(place)
	if err != nil {
		return nil // nothing is there to be seen
	}
	covered := filepath.Join(upper, place)
	if err := copyFolders(config, filepath.Dir(place)); err != nil {
		return err
	}
	if !info.IsDir() {
		return whiteOut(covered)
	}
	if err := os.Mkdir(covered, info.Mode().Perm()); err != nil && !os.IsExist(err) {
		return err
	}
	if err := copyAttributes(config, covered, place); err != nil {
		return err
	}
	return syscall.Setxattr(covered, "trusted.overlay.opaque", []byte("y"), 0)
}

// whiteOut is how an overlay says that there is nothing.
func whiteOut(path string) error {
	err := syscall.Mknod(path, syscall.S_IFCHR, 0)
	if err == syscall.EEXIST {
		return nil
	}
	return err
}

// copyFolders makes the folders down to `place` in the upper layer as they are
// below, so that what is seen of them stays the same.
func copyFolders(config slotConfig, place string) error {
	if place == "/" || place == "." {
		return nil
	}
	if err := copyFolders(config, filepath.Dir(place)); err != nil {
		return err
	}
	made := filepath.Join(config.mountPoint(), "upper", place)
	if err := os.Mkdir(made, 0o755); os.IsExist(err) {
		return nil
	} else if err != nil {
		return err
	}
	return copyAttributes(config, made, place)
}

func copyAttributes(config slotConfig, path, from string) error {
	var stat syscall.Stat_t
	if err := syscall.Lstat(from, &stat); err != nil {
		return err
	}
	if err := syscall.Lchown(path, config.outside(int(stat.Uid)), config.outside(int(stat.Gid))); err != nil {
		return err
	}
	return syscall.Chmod(path, stat.Mode&0o7777)
}

// placesBeside lists all that is neither shown nor leads to what is.
func placesBeside(shown []string) []string {
	found := []string{}
	var visit func(folder string)
	visit = func(folder string) {
		entries, err := os.ReadDir(folder)
		if err != nil {
			return // a folder that cannot be read shows nothing
		}
		for _, entry := range entries {
			path := filepath.Join(folder, entry.Name())
			switch {
			case isAmong(path, shown):
			case leadsTo(path, shown) && entry.IsDir():
				visit(path)
			default:
				found = append(found, path)
			}
		}
	}
	visit("/")
	return found
}

func isAmong(path string, list []string) bool {
	for _, one := range list {
		if path == one {
			return true
		}
	}
	return false
}

func leadsTo(path string, list []string) bool {
	for _, one := range list {
		if strings.HasPrefix(one, path+"/") {
			return true
		}
	}
	return false
}

// showKernelFolders mounts /proc and /sys in full beside the root: users of a
// namespace of their own may mount these only where they are seen in full.
func showKernelFolders(config slotConfig) error {
	if !config.hasOwnIDs() {
		return nil
	}
	for kind, name := range map[string]string{"proc": "proc", "sysfs": "sys"} {
		place := filepath.Join(config.mountPoint(), name)
		if err := os.Mkdir(place, 0o700); err != nil {
			return err
		}
		if err := mount(kind, place, kind, syscall.MS_NOSUID|syscall.MS_NODEV|syscall.MS_NOEXEC, ""); err != nil {
			return err
		}
	}
	return nil
}
