package main

import (
	"errors"
	"strings"
	"syscall"
)

var errEscape = errors.New("the path leads out of its folder")

var codeOfErrno = map[syscall.Errno]string{
	syscall.ENOENT: "FILE_NOT_FOUND", syscall.ENAMETOOLONG: "FILE_NOT_FOUND", syscall.ELOOP: "FILE_NOT_FOUND", syscall.EINVAL: "FILE_NOT_FOUND",
	syscall.ENOTDIR: "NOT_A_DIRECTORY", syscall.EISDIR: "IS_A_DIRECTORY",
	syscall.EACCES: "PERMISSION", syscall.EPERM: "PERMISSION", syscall.EROFS: "PERMISSION", syscall.ETXTBSY: "PERMISSION",
	syscall.EBUSY: "PERMISSION", syscall.EXDEV: "PERMISSION",
	syscall.ENOSPC: "NO_SPACE", syscall.EDQUOT: "NO_SPACE", syscall.EFBIG: "FILE_TOO_LARGE",
	syscall.EEXIST: "ALREADY_EXISTS", syscall.ENOTEMPTY: "ALREADY_EXISTS",
}

// fileCode names the error for the client; IO is what fits no FileCode.
func fileCode(err error) string {
	if isEscape(err) {
		return "PATH_ESCAPE"
	}
	var errno syscall.Errno
	if errors.As(err, &errno) {
		if code, known := codeOfErrno[errno]; known {
			return code
		}
	}
	return "IO"
}

// isEscape knows os.Root's refusal, which has no exported value.
func isEscape(err error) bool {
	return errors.Is(err, errEscape) || strings.HasSuffix(err.Error(), "path escapes from parent")
}
