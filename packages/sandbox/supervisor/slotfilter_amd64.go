package main

import "syscall"

const (
	ownArchitecture   = 0xc000003e
	foreignNumbers    = 0x40000000 // the calls of the x32 kind
	callSetns         = 308
	callBpf           = 321
	callUserfaultfd   = 323
	callNameToHandle  = 303
	callOpenByHandle  = 304
	callFinitModule   = 313
	callKexecLoad     = 246
	callKexecFileLoad = 320
)

var processorCalls = []uint32{syscall.SYS_IOPL, syscall.SYS_IOPERM, syscall.SYS_USELIB}
