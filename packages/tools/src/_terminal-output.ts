import type { ExecResult } from '@hermes/sandbox';
import { countCodePoints, headOf, stripAnsi, tailOf, withThousands } from './_text.ts';

const MAX_CHARS = 50_000;
const HEAD_CHARS = 20_000;

const SIGNAL_NUMBERS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    HUP: 1,
    INT: 2,
    QUIT: 3,
    ILL: 4,
    TRAP: 5,
    ABRT: 6,
    BUS: 7,
    FPE: 8,
    KILL: 9,
    USR1: 10,
    SEGV: 11,
    USR2: 12,
    PIPE: 13,
    ALRM: 14,
    TERM: 15,
    XCPU: 24,
    XFSZ: 25,
    SYS: 31,
  }),
);

/** The number that Linux gives a signal; 0: a name it does not have. */
export function signalNumber(name: string): number {
  return SIGNAL_NUMBERS.get(name.replace(/^SIG/, '')) ?? 0;
}

/** The exit code a shell would show for how the command ended. */
export function shownExitCode(result: ExecResult): number {
  switch (result.status) {
    case 'exited':
      return result.exitCode;
    case 'signaled':
      return 128 + signalNumber(result.signal);
    case 'timeout':
      return 124;
    case 'cancelled':
      return 130;
    case 'oom':
    case 'output_limit_killed':
      return 137;
    case 'not_started':
      return -1;
  }
}

/** Holds nothing between whole texts. */
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });

/** What a command wrote, with a last line on how it ended, as a model sees it. */
export function shownOutput(result: ExecResult, notes: readonly string[]): string {
  const written = DECODER.decode(result.stdout.bytes) + DECODER.decode(result.stderr.bytes);
  const droppedBytes = result.stdout.droppedBytes + result.stderr.droppedBytes;
  const text = notes.length === 0 ? written : `${written.trimEnd()}\n${notes.join('\n')}`;
  return cutMiddle(stripAnsi(text), droppedBytes).trim();
}

/** Head and tail are what matters in a long log: the command's start, and how it ended. */
function cutMiddle(text: string, droppedBytes: number): string {
  const total = countCodePoints(text);
  if (total <= MAX_CHARS && droppedBytes === 0) return text;
  const head = headOf(text, Math.min(HEAD_CHARS, Math.floor(total * 0.4)));
  const tail = tailOf(text, Math.min(MAX_CHARS - HEAD_CHARS, Math.ceil(total * 0.6)));
  const omitted = Math.max(0, total - MAX_CHARS);
  const beyond = droppedBytes > 0 ? ` and ${withThousands(droppedBytes)} further bytes` : '';
  const notice = `[output cut: ${withThousands(omitted)} characters${beyond} left out here]`;
  return `${head}\n\n${notice}\n\n${tail}`;
}
