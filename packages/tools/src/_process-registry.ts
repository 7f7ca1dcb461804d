import type { Effects, Instant } from '@hermes/protocol';
import type { ExecRequest, ExecResult, Proc, Sandbox } from '@hermes/sandbox';
import { SandboxError } from '@hermes/sandbox';
import { createRollingText } from './_rolling-text.ts';
import { signalNumber } from './_terminal-output.ts';

const MAX_TRACKED = 64;
const KEEP_FINISHED_MS = 1_800_000;
const MAX_OUTPUT_CHARS = 200_000;

/** A command that runs on while the model does other things. */
export interface BackgroundProcess {
  readonly id: string;
  readonly command: string;
  readonly cwd: string;
  readonly pid: number | null;
  readonly startedAt: Instant;
  readonly stdin: 'open' | 'closed' | 'none';
  /** null: it still runs. */
  readonly ended: Readonly<{ exitCode: number; at: Instant }> | null;
  /** Fires once, when it ended and all its output is here. Never rejects. */
  readonly finished: Promise<void>;
  output(): string;
  write(text: string): Promise<void>;
  closeStdin(): Promise<void>;
  /** Ends the whole process tree; resolves when it is gone. */
  kill(): Promise<void>;
}

type BackgroundCommand = Readonly<{
  command: string;
  cwd: string;
  request: ExecRequest;
}>;

/** The background processes of one rollout; nobody else can see them. */
export interface ProcessRegistry {
  /** null: too many are running. Throws SandboxError. */
  start(sandbox: Sandbox, command: BackgroundCommand): Promise<BackgroundProcess | null>;
  get(id: string): BackgroundProcess | null;
  list(): readonly BackgroundProcess[];
  /** Ends all of them. */
  close(): Promise<void>;
}

export function createProcessRegistry(effects: Effects): ProcessRegistry {
  const processes = new Map<string, BackgroundProcess>();
  let closed = false;
  let starting = 0;

  const forgetOld = (): void => {
    const now = effects.clock.now().monoMs;
    for (const { id, ended } of processes.values()) {
      if (ended !== null && now - ended.at.monoMs >= KEEP_FINISHED_MS) processes.delete(id);
    }
  };

  const hasRoom = (): boolean => {
    forgetOld();
    if (processes.size + starting < MAX_TRACKED) return true;
    const oldest = [...processes.values()].find(({ ended }) => ended !== null);
    return oldest !== undefined && processes.delete(oldest.id);
  };

  return {
    async start(sandbox, command) {
      if (!hasRoom()) return null;
      starting += 1;
      try {
        const started = await spawnTracked(sandbox, command, effects);
        processes.set(started.id, started);
        if (closed) await refuseLate(started);
        return started;
      } finally {
        starting -= 1;
      }
    },
    get(id) {
      forgetOld();
      return processes.get(id) ?? null;
    },
    list() {
      forgetOld();
      return [...processes.values()];
    },
    async close() {
      closed = true;
      const running = [...processes.values()].filter(({ ended }) => ended === null);
      await Promise.allSettled(running.map((process) => process.kill()));
    },
  };
}

async function refuseLate(process: BackgroundProcess): Promise<never> {
  await process.kill();
  throw new SandboxError('CANCELLED', 'request', 'The rollout ended while the process started');
}

async function spawnTracked(
  sandbox: Sandbox,
  { command, cwd, request }: BackgroundCommand,
  effects: Effects,
): Promise<BackgroundProcess> {
  const startedAt = effects.clock.now();
  const proc = await sandbox.spawn(request);
  return track(proc, {
    id: `proc_${effects.newId('proc').slice(-12)}`,
    command,
    cwd,
    startedAt,
    hasStdin: request.stdin === 'open',
    effects,
  });
}

type Tracked = Pick<BackgroundProcess, 'id' | 'command' | 'cwd' | 'startedAt'> &
  Readonly<{ hasStdin: boolean; effects: Effects }>;

function track(proc: Proc, { hasStdin, effects, ...facts }: Tracked): BackgroundProcess {
  const rolling = createRollingText(MAX_OUTPUT_CHARS);
  let stdin: BackgroundProcess['stdin'] = hasStdin ? 'open' : 'none';
  let ended: BackgroundProcess['ended'] = null;
  let killAsked = false;

  const follow = async (): Promise<void> => {
    const streams = [proc.stdout, proc.stderr].map((stream) => pump(stream, rolling.push));
    const exitCode = await proc.wait().then(backgroundExitCode, () => LOST_EXIT_CODE);
    await Promise.allSettled(streams);
    ended = { exitCode: killAsked ? KILLED_EXIT_CODE : exitCode, at: effects.clock.now() };
  };
  const finished = follow();

  return {
    ...facts,
    pid: proc.pid,
    finished,
    get stdin() {
      return stdin;
    },
    get ended() {
      return ended;
    },
    output: rolling.text,
    write: (text) => proc.write(new TextEncoder().encode(text)),
    async closeStdin() {
      stdin = 'closed';
      await proc.closeStdin();
    },
    async kill() {
      killAsked = true;
      await proc.kill();
      await finished;
    },
  };
}

async function pump(
  stream: AsyncIterable<Uint8Array>,
  push: (text: string) => void,
): Promise<void> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  for await (const chunk of stream) push(decoder.decode(chunk, { stream: true }));
  push(decoder.decode());
}

const KILLED_EXIT_CODE = -15;
const LOST_EXIT_CODE = -1;

/** A signal shows as its negative number here, unlike in the foreground. */
function backgroundExitCode(result: ExecResult): number {
  switch (result.status) {
    case 'exited':
      return result.exitCode;
    case 'signaled':
      return -signalNumber(result.signal);
    case 'timeout':
      return 124;
    case 'cancelled':
      return KILLED_EXIT_CODE;
    case 'oom':
    case 'output_limit_killed':
      return -signalNumber('KILL');
    case 'not_started':
      return LOST_EXIT_CODE;
  }
}
