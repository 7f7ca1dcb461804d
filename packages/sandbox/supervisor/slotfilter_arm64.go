package main

const (
	ownArchitecture   = 0xc00000b7
	foreignNumbers    = 0xffffffff
	callSetns         = 268
	callBpf           = 280
	callUserfaultfd   = 282
	callNameToHandle  = 264
	callOpenByHandle  = 265
	callFinitModule   = 273
	callKexecLoad     = 104
	callKexecFileLoad = 294
)

var processorCalls = []uint32{}
