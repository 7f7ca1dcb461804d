package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"syscall"
)

// dialSlot carries bytes between our own input and output and a server on the
// slot's loopback.
func dialSlot(config slotConfig, port int) error {
	socket, err := dialInside(config, port)
	if err != nil {
		return fmt.Errorf("slot: reach port %d: %w", port, err)
	}
	server := os.NewFile(uintptr(socket), "port "+strconv.Itoa(port))
	defer server.Close()
	go func() {
		io.Copy(server, os.Stdin) // a side that ends early is seen below
		syscall.Shutdown(socket, syscall.SHUT_WR)
	}()
	_, err = io.Copy(os.Stdout, server)
	return err
}

// dialInside makes the socket in the slot's network namespace, in which it then stays.
func dialInside(config slotConfig, port int) (int, error) {
	ids, err := readSlotRecord(config)
	if err != nil {
		return -1, err
	}
	runtime.LockOSThread() // never unlocked: the thread is of no use afterwards
	if ids["net"] != "" {
		if err := enterNetwork(ids["init"]); err != nil {
			return -1, err
		}
	}
	socket, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return -1, err
	}
	if err := syscall.Connect(socket, &syscall.SockaddrInet4{Port: port, Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		syscall.Close(socket)
		return -1, err
	}
	return socket, syscall.SetNonblock(socket, true)
}

func enterNetwork(pid string) error {
	space, err := os.Open("/proc/" + pid + "/ns/net")
	if err != nil {
		return err
	}
	defer space.Close()
	if _, _, errno := syscall.Syscall(callSetns, space.Fd(), syscall.CLONE_NEWNET, 0); errno != 0 {
		return errno
	}
	return nil
}
