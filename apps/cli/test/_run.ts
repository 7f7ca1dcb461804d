import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { vi } from 'vitest';
import { type CliOptions, runCli } from '../src/index.ts';

// commands load their code when they run, and some tests start processes: on a busy machine that takes a while
vi.setConfig({ testTimeout: 30_000 });

/** What one command wrote and how it ended. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command in this process with captured streams, in an empty folder unless told otherwise. */
export async function hermes(argv: readonly string[], options: CliOptions = {}): Promise<Ended> {
  const stdout = capture();
  const stderr = capture();
  const code = await runCli(argv, {
    stdout,
    stderr,
    stdin: Readable.from([]),
    environmentVariables: {},
    signal: new AbortController().signal,
    ...options,
  });
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

/** The last line of `--json`. */
export function summaryOf(ended: Ended): Readonly<Record<string, unknown>> {
  const last = ended.stdout.trim().split('\n').at(-1) ?? '';
  return JSON.parse(last) as Readonly<Record<string, unknown>>;
}

/** Runs with a new folder that is removed afterwards. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'hermes-cli-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function capture() {
  let text = '';
  return {
    write(chunk: string) {
      text += chunk;
    },
    isTerminal: false,
    columns: 80,
    text: () => text,
  };
}
