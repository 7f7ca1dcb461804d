package main

import (
	"os"
	"strconv"
	"sync"
	"syscall"
	"time"
	"unsafe"
)

// ended is how a child ended.
type ended struct {
	status syscall.WaitStatus
	usage  syscall.Rusage
	at     time.Time
}

// reaper waits for every child, its own and those that it inherits as
// subreaper, and tells who asked for it.
type reaper struct {
	mutex   sync.Mutex
	started *sync.Cond
	waiting map[int]func(ended)

	childrenFile int // of /proc, kept open: -1 where the kernel has none
}

func newReaper() *reaper {
	own := strconv.Itoa(os.Getpid())
	children, err := syscall.Open("/proc/"+own+"/task/"+own+"/children", syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		children = -1
	}
	r := &reaper{waiting: map[int]func(ended){}, childrenFile: children}
	r.started = sync.NewCond(&r.mutex)
	return r
}

// silenceSignal takes the runtime's handler from the signal of a child's end,
// which would wake a thread each time for nothing: the reaper waits in the kernel.
func silenceSignal() error {
	defaultAction := struct{ handler, flags, restorer, mask uintptr }{}
	_, _, errno := syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, uintptr(syscall.SIGCHLD), uintptr(unsafe.Pointer(&defaultAction)), 0, 8, 0, 0)
	if errno != 0 {
		return os.NewSyscallError("rt_sigaction", errno)
	}
	return nil
}

// start forks under the lock, so that a child cannot end unseen.
func (r *reaper) start(fork func() (int, error), onEnd func(ended)) (int, error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	pid, err := fork()
	if err != nil {
		return 0, err
	}
	r.waiting[pid] = onEnd
	r.started.Broadcast()
	return pid, nil
}

func (r *reaper) run() {
	for {
		var one ended
		pid, err := syscall.Wait4(-1, &one.status, 0, &one.usage)
		if err == syscall.ECHILD {
			r.awaitChild()
			continue
		}
		if err == nil && pid > 0 {
			one.at = time.Now()
			r.deliver(pid, one)
		}
	}
}

func (r *reaper) awaitChild() {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	for len(r.waiting) == 0 {
		r.started.Wait()
	}
}

func (r *reaper) deliver(pid int, one ended) {
	r.mutex.Lock()
	onEnd := r.waiting[pid]
	delete(r.waiting, pid)
	r.mutex.Unlock()
	if onEnd != nil {
		onEnd(one)
	}
}

func secondsOf(t syscall.Timeval) float64 { return float64(t.Sec) + float64(t.Usec)/1e6 }

func usageOf(u syscall.Rusage) *usageMessage {
	cpu := secondsOf(u.Utime) + secondsOf(u.Stime)
	peak := u.Maxrss * 1024
	return &usageMessage{CPUSeconds: &cpu, PeakMemoryBytes: &peak}
}

// usage sums what ended children used.
func (s *server) usage() usageMessage {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_CHILDREN, &u) != nil {
		return usageMessage{}
	}
	return *usageOf(u)
}
