import type { Effects, Instant } from '@hermes/protocol';
import type { ExecResult, Proc } from '@hermes/sandbox';
import { createRollingText } from './_rolling-text.ts';
import { signalNumber } from './_terminal-output.ts';

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

type Tracked = Pick<BackgroundProcess, 'id' | 'command' | 'cwd' | 'startedAt'> &
  Readonly<{ hasStdin: boolean; effects: Effects }>;

/** Follows a process that was started: its output, and its end. */
export function trackProcess(
  proc: Proc,
  { hasStdin, effects, ...facts }: Tracked,
): BackgroundProcess {
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
