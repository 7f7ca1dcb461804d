package main

import (
	"runtime"
	"sync"
)

// As many as block in system calls at once: the waiter for children, a fork, a few reads of files.
const reservedThreads = 12

// reserveThreads makes the threads of the whole life while the kernel still
// gives some. Go ends the program when it is refused one, and that happens as
// soon as the sandbox's own processes fill its limit: a fork bomb would take
// the supervisor with it. What is made once is kept by the runtime.
func reserveThreads() {
	var running, ended sync.WaitGroup
	running.Add(reservedThreads)
	ended.Add(reservedThreads)
	all := make(chan struct{})
	for range reservedThreads {
		go func() {
			defer ended.Done()
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			running.Done()
			<-all
		}()
	}
	running.Wait()
	close(all)
	ended.Wait()
}
