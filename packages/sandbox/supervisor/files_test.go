package main

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"io"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

type fileReply struct {
	OK    bool
	Code  string
	Path  string
	Value fileStat
}

func (c *client) put(message fields, content []byte) fileReply {
	c.t.Helper()
	id := c.newID()
	c.control(typeFilePut, id, message)
	credit := receiveCredit
	for rest := content; len(rest) > 0; {
		piece := rest[:min(len(rest), dataChunk)]
		for credit < len(piece) {
			f := c.next(id)
			if f.kind == typeFileReply {
				return c.reply(f)
			}
			credit += int(creditOf(f))
		}
		credit -= len(piece)
		c.raw(typeFileData, id, piece)
		rest = rest[len(piece):]
	}
	digest := sha256.Sum256(content)
	c.control(typeFileEnd, id, fileEndMessage{Size: int64(len(content)), SHA256: hex.EncodeToString(digest[:])})
	for {
		if f := c.next(id); f.kind == typeFileReply {
			return c.reply(f)
		}
	}
}

func (c *client) reply(f frame) fileReply {
	var reply fileReply
	c.decode(f, &reply)
	return reply
}

func (c *client) get(message fields) ([]byte, fileReply) {
	c.t.Helper()
	id := c.newID()
	c.control(typeFileGet, id, message)
	reply := c.reply(c.next(id))
	content := []byte{}
	for reply.OK {
		f := c.next(id)
		if f.kind == typeFileEnd {
			var end fileEndMessage
			c.decode(f, &end)
			digest := sha256.Sum256(content)
			if end.Size != int64(len(content)) || end.SHA256 != hex.EncodeToString(digest[:]) {
				c.t.Fatalf("%d bytes came, %+v", len(content), end)
			}
			break
		}
		if f.kind != typeFileData {
			c.t.Fatalf("%x %s", f.kind, f.payload)
		}
		content = append(content, f.payload...)
		c.raw(typeCredit, id, binary.BigEndian.AppendUint32(nil, uint32(len(f.payload))))
	}
	return content, reply
}

func (c *client) operation(message fields) fileReply {
	c.t.Helper()
	id := c.newID()
	c.control(typeFileOp, id, message)
	var reply fileReply
	f := c.next(id)
	if message["op"] == "list" {
		var list struct {
			OK   bool
			Code string
		}
		c.decode(f, &list)
		return fileReply{OK: list.OK, Code: list.Code}
	}
	c.decode(f, &reply)
	return reply
}

func TestFilesOfAnySizeComeBackTheSame(t *testing.T) {
	c := startSupervisor(t, stateFolder(t), nil)
	folder := t.TempDir()
	source := rand.New(rand.NewSource(3))
	for _, size := range []int{0, 1, 65_535, 65_536, 65_537, 131_072, 5_000_001} {
		content := make([]byte, size)
		source.Read(content)
		path := folder + "/new folder/é " + strings.Repeat("x", size%7)
		if reply := c.put(fields{"path": path}, content); !reply.OK {
			t.Fatalf("%d: %+v", size, reply)
		}
		got, reply := c.get(fields{"path": path})
		if !bytes.Equal(got, content) || reply.Value.Size != int64(size) {
			t.Fatalf("%d: %d bytes, %+v", size, len(got), reply)
		}
	}
}

func TestFileTroubleHasACode(t *testing.T) {
	c := startSupervisor(t, stateFolder(t), nil)
	folder := t.TempDir()
	os.WriteFile(folder+"/file", []byte("12345"), 0o644)
	os.Mkdir(folder+"/full", 0o755)
	os.WriteFile(folder+"/full/file", nil, 0o644)
	long := folder + "/" + strings.Repeat("n", 5000)
	for _, one := range []struct {
		code    string
		message fields
	}{
		{"FILE_NOT_FOUND", fields{"op": "stat", "path": folder + "/none"}},
		{"FILE_NOT_FOUND", fields{"op": "stat", "path": long}},
		{"FILE_NOT_FOUND", fields{"op": "stat", "path": "nul\x00byte"}},
		{"NOT_A_DIRECTORY", fields{"op": "list", "path": folder + "/file"}},
		{"NOT_A_DIRECTORY", fields{"op": "stat", "path": folder + "/file/below"}},
		{"ALREADY_EXISTS", fields{"op": "mkdir", "path": folder + "/file"}},
		{"IS_A_DIRECTORY", fields{"op": "remove", "path": folder + "/full"}},
		{"FILE_NOT_FOUND", fields{"op": "remove", "path": folder + "/none"}},
		{"FILE_NOT_FOUND", fields{"op": "rename", "path": folder + "/none", "to": folder + "/x"}},
		{"IS_A_DIRECTORY", fields{"op": "rename", "path": folder + "/file", "to": folder + "/full"}},
	} {
		if reply := c.operation(one.message); reply.OK || reply.Code != one.code {
			t.Errorf("%v: %+v, not %s", one.message, reply, one.code)
		}
	}
	for code, message := range map[string]fields{
		"FILE_NOT_FOUND":  {"path": folder + "/none"},
		"IS_A_DIRECTORY":  {"path": folder},
		"FILE_TOO_LARGE":  {"path": folder + "/file", "maxBytes": 4},
		"NOT_A_DIRECTORY": {"path": folder + "/file", "form": "tar"},
		"PERMISSION":      {"path": "/dev/zero"},
	} {
		if _, reply := c.get(message); reply.OK || reply.Code != code {
			t.Errorf("get %v: %+v, not %s", message, reply, code)
		}
	}
	for code, path := range map[string]string{"IS_A_DIRECTORY": folder, "NOT_A_DIRECTORY": folder + "/file/x", "FILE_NOT_FOUND": long} {
		if reply := c.put(fields{"path": path}, []byte("x")); reply.OK || reply.Code != code {
			t.Errorf("put %.80s: %+v, not %s", path, reply, code)
		}
	}
}

func TestAFullDiskIsNoSpaceAndLeavesNothing(t *testing.T) {
	if os.Getuid() != 0 {
		t.Log("only root can mount a small file system here")
		return
	}
	folder := t.TempDir()
	if text, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=100k", "tmpfs", folder).CombinedOutput(); err != nil {
		t.Logf("no small file system here: %s", text)
		return
	}
	defer exec.Command("umount", folder).Run()
	c := startSupervisor(t, stateFolder(t), nil)
	if reply := c.put(fields{"path": folder + "/big"}, make([]byte, 5_000_000)); reply.Code != "NO_SPACE" {
		t.Fatalf("%+v", reply)
	}
	if entries, _ := os.ReadDir(folder); len(entries) != 0 {
		t.Fatalf("%v is left", entries)
	}
}

func TestAWriteKeepsModeAndIsWholeOrNot(t *testing.T) {
	c := startSupervisor(t, stateFolder(t), nil)
	path := t.TempDir() + "/tool"
	c.put(fields{"path": path, "mode": 0o755}, []byte("one"))
	c.put(fields{"path": path}, []byte("two"))
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o755 {
		t.Fatalf("%v %v", info, err)
	}
	id := c.newID()
	c.control(typeFilePut, id, fields{"path": path})
	c.raw(typeFileData, id, []byte("broken"))
	c.control(typeFileEnd, id, fields{"size": -1, "sha256": ""})
	for c.next(id).kind != typeError {
	}
	if text, _ := os.ReadFile(path); string(text) != "two" {
		t.Fatalf("%q", text)
	}
	if entries, _ := os.ReadDir(filepath.Dir(path)); len(entries) != 1 {
		t.Fatalf("%v is left", entries)
	}
}

func TestAWriteThroughALinkKeepsTheLink(t *testing.T) {
	c := startSupervisor(t, stateFolder(t), nil)
	folder := t.TempDir()
	os.Symlink("real", folder+"/link")
	if reply := c.put(fields{"path": folder + "/link"}, []byte("x")); !reply.OK {
		t.Fatalf("%+v", reply)
	}
	if target, err := os.Readlink(folder + "/link"); err != nil || target != "real" {
		t.Fatal(target, err)
	}
	if reply := c.operation(fields{"op": "stat", "path": folder + "/link"}); reply.Value.Type != "link" || *reply.Value.LinkTarget != "real" {
		t.Fatalf("%+v", reply)
	}
}

func TestFilesAreTouchedWithTheUsersRights(t *testing.T) {
	if os.Getuid() != 0 {
		t.Log("only root can act as another user")
		return
	}
	c := startSupervisor(t, stateFolder(t), nil)
	folder := t.TempDir()
	for up := folder; up != "/tmp"; up = filepath.Dir(up) {
		os.Chmod(up, 0o755)
	}
	os.WriteFile(folder+"/secret", []byte("x"), 0o600)
	if _, reply := c.get(fields{"path": folder + "/secret", "user": "nobody"}); reply.Code != "PERMISSION" {
		t.Fatalf("%+v", reply)
	}
	if reply := c.put(fields{"path": folder + "/new", "user": "nobody"}, nil); reply.Code != "PERMISSION" {
		t.Fatalf("%+v", reply)
	}
	os.Chmod(folder, 0o777)
	if reply := c.put(fields{"path": folder + "/new", "user": "nobody"}, nil); !reply.OK {
		t.Fatalf("%+v", reply)
	}
	if _, reply := c.get(fields{"path": folder + "/secret"}); !reply.OK {
		t.Fatalf("root's own rights are gone: %+v", reply)
	}
	if r := c.run(fields{"argv": []string{"stat", "-c", "%U", folder + "/new"}}); r.stdout != "nobody\n" {
		t.Fatalf("%q", r.stdout)
	}
}

// archive makes a tar of the headers; files hold their own name.
func archive(t *testing.T, headers ...tar.Header) []byte {
	t.Helper()
	var made bytes.Buffer
	writer := tar.NewWriter(&made)
	for _, header := range headers {
		if header.Typeflag == tar.TypeReg {
			header.Size = int64(len(header.Name))
		}
		if header.Mode == 0 {
			header.Mode = 0o755
		}
		if err := writer.WriteHeader(&header); err != nil {
			t.Fatal(err)
		}
		if header.Typeflag == tar.TypeReg {
			io.WriteString(writer, header.Name)
		}
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	return made.Bytes()
}

func TestAnArchiveCannotLeaveItsFolder(t *testing.T) {
	c := startSupervisor(t, stateFolder(t), nil)
	outside := t.TempDir()
	for name, headers := range map[string][]tar.Header{
		"absolute":             {{Name: outside + "/evil", Typeflag: tar.TypeReg}},
		"dots":                 {{Name: "a/../../evil", Typeflag: tar.TypeReg}},
		"only dots":            {{Name: "..", Typeflag: tar.TypeDir}},
		"through a link":       {{Name: "out", Typeflag: tar.TypeSymlink, Linkname: outside}, {Name: "out/evil", Typeflag: tar.TypeReg}},
		"folder through links": {{Name: "out", Typeflag: tar.TypeSymlink, Linkname: outside}, {Name: "out/evil/deep", Typeflag: tar.TypeDir}},
		"relative link":        {{Name: "up", Typeflag: tar.TypeSymlink, Linkname: "../" + filepath.Base(outside)}, {Name: "up/evil", Typeflag: tar.TypeReg}},
		"hard link":            {{Name: "hard", Typeflag: tar.TypeLink, Linkname: "/etc/passwd"}},
		"hard link with dots":  {{Name: "hard", Typeflag: tar.TypeLink, Linkname: "../../etc/passwd"}},
		"device":               {{Name: "null", Typeflag: tar.TypeChar, Devmajor: 1, Devminor: 3}},
		"pipe":                 {{Name: "pipe", Typeflag: tar.TypeFifo}},
	} {
		target := t.TempDir()
		if reply := c.put(fields{"path": target, "form": "tar"}, archive(t, headers...)); reply.Code != "PATH_ESCAPE" {
			t.Errorf("%s: %+v", name, reply)
		}
		if entries, _ := os.ReadDir(outside); len(entries) != 0 {
			t.Fatalf("%s: %v came out", name, entries)
		}
	}
}

func TestAnArchiveDoesNotWriteThroughALinkThatWasThere(t *testing.T) {
	c := startSupervisor(t, stateFolder(t), nil)
	target, outside := t.TempDir(), t.TempDir()
	os.WriteFile(outside+"/kept", []byte("kept"), 0o644)
	os.Symlink(outside+"/kept", target+"/file")
	os.Symlink(outside, target+"/folder")
	reply := c.put(fields{"path": target, "form": "tar"}, archive(t, tar.Header{Name: "file", Typeflag: tar.TypeReg}, tar.Header{Name: "folder", Typeflag: tar.TypeDir}, tar.Header{Name: "folder/x", Typeflag: tar.TypeReg}))
	if !reply.OK {
		t.Fatalf("%+v", reply)
	}
	if text, _ := os.ReadFile(outside + "/kept"); string(text) != "kept" {
		t.Fatalf("%q", text)
	}
	if entries, _ := os.ReadDir(outside); len(entries) != 1 {
		t.Fatalf("%v", entries)
	}
}

func TestATreeGoesAndComesBackWithModesAndLinks(t *testing.T) {
	c := startSupervisor(t, stateFolder(t), nil)
	target := t.TempDir() + "/made/here"
	sent := archive(t,
		tar.Header{Name: "closed/", Typeflag: tar.TypeDir, Mode: 0o500}, tar.Header{Name: "closed/file", Typeflag: tar.TypeReg, Mode: 0o640},
		tar.Header{Name: "link", Typeflag: tar.TypeSymlink, Linkname: "/etc/shadow"}, tar.Header{Name: "deep/er/run", Typeflag: tar.TypeReg, Mode: 0o755},
		tar.Header{Name: "hard", Typeflag: tar.TypeLink, Linkname: "deep/er/run"})
	for range 2 { // again, over what is there
		if reply := c.put(fields{"path": target, "form": "tar"}, sent); !reply.OK {
			t.Fatalf("%+v", reply)
		}
	}
	content, reply := c.get(fields{"path": target, "form": "tar"})
	if !reply.OK {
		t.Fatalf("%+v", reply)
	}
	found := map[string]string{}
	for reader := tar.NewReader(bytes.NewReader(content)); ; {
		header, err := reader.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(reader)
		found[header.Name] = header.FileInfo().Mode().String() + " " + header.Linkname + string(text)
	}
	for name, want := range map[string]string{
		"closed/": "dr-x------ ", "closed/file": "-rw-r----- closed/file", "deep/er/run": "-rwxr-xr-x deep/er/run",
		"link": "Lrwxrwxrwx /etc/shadow", "hard": "-rwxr-xr-x deep/er/run",
	} {
		if found[name] != want {
			t.Errorf("%s: %q, not %q", name, found[name], want)
		}
	}
}

func FuzzSafeName(f *testing.F) {
	for _, seed := range []string{"a", "../a", "/a", "a/../b", "a/..", "./a//b", "..a", "a\x00b"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		clean, err := safeName(name)
		if err == nil && !filepath.IsLocal(clean) {
			t.Fatalf("%q gives %q", name, clean)
		}
	})
}
