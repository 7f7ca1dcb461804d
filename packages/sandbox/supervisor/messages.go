package main

type helloMessage struct {
	Versions []int                   `json:"versions"`
	Token    string                  `json:"token"`
	Credit   int64                   `json:"credit"`
	Resume   map[string]resumeOffset `json:"resume"`
}

type resumeOffset struct {
	Stdout int64 `json:"stdout"`
	Stderr int64 `json:"stderr"`
}

type runningMessage struct {
	Key       string `json:"key"`
	Pid       int    `json:"pid"`
	StartedAt int64  `json:"startedAt"`
}

type welcomeMessage struct {
	Version    int              `json:"version"`
	Supervisor string           `json:"supervisor"`
	OS         string           `json:"os"`
	Arch       string           `json:"arch"`
	Boot       string           `json:"boot"`
	Pid        int              `json:"pid"`
	UID        int              `json:"uid"`
	Features   []string         `json:"features"`
	Running    []runningMessage `json:"running"`
	Credit     int              `json:"credit"`
}

type errorMessage struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

type windowSize struct {
	Cols uint16 `json:"cols"`
	Rows uint16 `json:"rows"`
}

type startMessage struct {
	Key         string            `json:"key"`
	Argv        []string          `json:"argv"`
	Script      *string           `json:"script"`
	ScriptParts bool              `json:"scriptParts"`
	Shell       string            `json:"shell"`
	Cwd         string            `json:"cwd"`
	Env         map[string]string `json:"env"`
	User        string            `json:"user"`
	Session     uint32            `json:"session"`
	Stdin       string            `json:"stdin"`
	TTY         *windowSize       `json:"tty"`
	TimeoutMs   int64             `json:"timeoutMs"`
	KillGraceMs int64             `json:"killGraceMs"`
	MaxBytes    int64             `json:"maxBytes"`
	Keep        string            `json:"keep"`
	Merge       bool              `json:"merge"`
	KillAtLimit bool              `json:"killAtLimit"`
	Background  string            `json:"background"`
	DrainMs     *int64            `json:"drainMs"`
	DrainIdleMs *int64            `json:"drainIdleMs"`
}

type startedMessage struct {
	Pid       int   `json:"pid"`
	StartedAt int64 `json:"startedAt"`
	QueuedMs  int64 `json:"queuedMs"`
	Duplicate bool  `json:"duplicate"`
}

type streamCount struct {
	Total   int64 `json:"total"`
	Dropped int64 `json:"dropped"`
}

type leftoverMessage struct {
	PipesOpen  bool `json:"pipesOpen"`
	KilledPids int  `json:"killedPids"`
}

type usageMessage struct {
	CPUSeconds      *float64 `json:"cpuSeconds"`
	PeakMemoryBytes *int64   `json:"peakMemoryBytes"`
	Exact           bool     `json:"exact"`
}

type exitMessage struct {
	Status   string          `json:"status"`
	Code     *int            `json:"code"`
	Signal   *string         `json:"signal"`
	Message  string          `json:"message"`
	Stdout   streamCount     `json:"stdout"`
	Stderr   streamCount     `json:"stderr"`
	Leftover leftoverMessage `json:"leftover"`
	WallMs   int64           `json:"wallMs"`
	Usage    *usageMessage   `json:"usage"`
	CwdAfter *string         `json:"cwdAfter"`
}

type signalMessage struct {
	Signal string `json:"signal"`
	Tree   bool   `json:"tree"`
	Reason string `json:"reason"`
}

type sessionOpenMessage struct {
	Shell string            `json:"shell"`
	Cwd   string            `json:"cwd"`
	Env   map[string]string `json:"env"`
	User  string            `json:"user"`
}

type sessionReadyMessage struct {
	Pid   int    `json:"pid"`
	Shell string `json:"shell"`
}

type shutdownMessage struct {
	GraceMs int64 `json:"graceMs"`
}

type transferMessage struct {
	Path     string  `json:"path"`
	Mode     *uint32 `json:"mode"`
	User     string  `json:"user"`
	Form     string  `json:"form"`
	MaxBytes *int64  `json:"maxBytes"`
	Digest   string  `json:"digest"`
	Credit   int64   `json:"credit"`
}

type fileOpMessage struct {
	Op        string `json:"op"`
	Path      string `json:"path"`
	To        string `json:"to"`
	Recursive bool   `json:"recursive"`
	User      string `json:"user"`
}

type fileEndMessage struct {
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
	CRC32  string `json:"crc32"`
}

type fileStat struct {
	Path       string  `json:"path"`
	Type       string  `json:"type"`
	Size       int64   `json:"size"`
	Mode       uint32  `json:"mode"`
	MtimeMs    float64 `json:"mtimeMs"`
	LinkTarget *string `json:"linkTarget"`
}

type fileValue struct {
	OK    bool `json:"ok"`
	Value any  `json:"value"`
}

type fileFailure struct {
	OK      bool   `json:"ok"`
	Code    string `json:"code"`
	Path    string `json:"path"`
	Message string `json:"message"`
}
