import type { ResourceUsage } from '@hermes/protocol';

/** Words, or a script for a shell (default bash where there is one, else sh). Scripts never travel as an argument. */
export type Command =
  | { readonly argv: readonly [string, ...string[]] }
  | Readonly<{ script: string; shell?: 'bash' | 'sh' }>;

/** One command. */
export type ExecRequest = Readonly<{
  command: Command;
  /** The clock starts with the process, not with the queue. Infinity: as long as the sandbox. */
  timeoutMs: number;
  /** Default /dev/null. `open`, for `spawn`: written through the Proc. */
  stdin?: Uint8Array | string | AsyncIterable<Uint8Array> | 'open';
  /** Default: the sandbox's working directory. */
  cwd?: string;
  env?: Readonly<Record<string, string>>;
  /** Names out of `spec.secrets` that this command gets. */
  secrets?: readonly string[];
  user?: string;
  /** Cancels the command: its tree is ended, what it wrote so far is in the result. */
  signal?: AbortSignal;
  /** Between TERM and KILL of the whole tree; default 2000. */
  killGraceMs?: number;
  output?: OutputLimits;
  /** Every byte as it comes, also beyond the limit of what is kept. */
  onData?: (chunk: Uint8Array, stream: 'stdout' | 'stderr') => void;
  tty?: Readonly<{ cols: number; rows: number }>;
  /** What becomes of children that outlive the command's first process. Default: `kill`; in a session `adopt`. */
  background?: 'kill' | 'adopt';
  /** Longest wait for open pipes after the first process has ended; default 2000 (250 without output). */
  drainMs?: number;
  /** The same key again runs nothing and gives the first result. Default: random. */
  idempotencyKey?: string;
}>;

/** What of the output is kept. The rest is read on and counted. */
export type OutputLimits = Readonly<{
  /** For each stream; default 1 MiB. */
  maxBytes?: number;
  /** Default `head_tail`: half from the start, half from the end. */
  keep?: 'head_tail' | 'tail' | 'head';
  /** stderr goes into stdout. */
  merge?: boolean;
  /** End the command when a stream exceeds the limit. */
  killAtLimit?: boolean;
}>;

/** What was kept of a stream, with exact counts of all of it. */
export interface CapturedBytes {
  readonly bytes: Uint8Array;
  readonly totalBytes: number;
  readonly droppedBytes: number;
  /** As text, made when asked for; a line in the gap names the dropped bytes. U+FFFD only for what is no UTF-8. */
  text(): string;
}

/** How a command ended. `not_started`: the directory, the user or the program was not there. */
export type ExecStatus = Readonly<
  | { status: 'exited'; exitCode: number }
  | { status: 'signaled'; signal: string }
  | { status: 'timeout' }
  | { status: 'cancelled' }
  | { status: 'oom' }
  | { status: 'output_limit_killed' }
  | { status: 'not_started'; message: string }
>;

/** A command that has ended, one way or another. */
export type ExecResult = ExecStatus &
  Readonly<{
    stdout: CapturedBytes;
    stderr: CapturedBytes;
    /** What outlived the first process: open pipes, and how many processes were ended. */
    leftover: Readonly<{ pipesOpen: boolean; killedPids: number }>;
    /** startedAtMs: UTC since the epoch. */
    timing: Readonly<{ queuedMs: number; startedAtMs: number; wallMs: number }>;
    usage: ResourceUsage | null;
    /** The working directory after a session's command; null elsewhere. */
    cwdAfter: string | null;
  }>;

/** A started command. Output that nobody reads is capped as `exec`'s is. */
export interface Proc {
  /** Its idempotency key. */
  readonly key: string;
  readonly pid: number | null;
  readonly stdout: AsyncIterable<Uint8Array>;
  readonly stderr: AsyncIterable<Uint8Array>;
  write(bytes: Uint8Array): Promise<void>;
  closeStdin(): Promise<void>;
  /** Signals the whole tree. Default: TERM, then KILL. */
  kill(signal?: string): Promise<void>;
  wait(signal?: AbortSignal): Promise<ExecResult>;
  resize?(cols: number, rows: number): Promise<void>;
}
