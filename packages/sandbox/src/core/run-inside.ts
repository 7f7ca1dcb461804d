import type { Clock } from '@hermes/protocol';
import type { ByteChannel, DriverSandbox } from '../types.ts';
import { within } from './deadline.ts';
import { transportError } from './errors.ts';

const LONGEST_MS = 120_000;
const LONGEST_OUTPUT = 65_536;

export type InsideContext = Readonly<{
  inner: DriverSandbox;
  clock: Clock;
  signal: AbortSignal | undefined;
}>;

/** Runs a short sh script in the sandbox without a supervisor and returns its output; null when it failed. */
export async function runInside(
  context: InsideContext,
  script: string,
  args: readonly string[],
  input?: Uint8Array,
): Promise<string | null> {
  const { inner, clock, signal } = context;
  const argv = ['sh', '-c', script, 'sh', ...args] as const;
  const options = signal === undefined ? {} : { signal };
  const channel = await inner.openChannel(argv, options);
  try {
    const run = await within(clock, LONGEST_MS, talk(channel, input));
    if (run.late) throw transportError('prepare the sandbox: sh did not end within 120 s');
    return run.value;
  } finally {
    channel.destroy();
  }
}

async function talk(channel: ByteChannel, input: Uint8Array | undefined): Promise<string | null> {
  const output = readText(channel.stdout);
  const errors = readText(channel.stderr);
  // A script that ended early breaks the pipe; its exit code says what there is to say.
  if (input !== undefined) await channel.write(input).catch(() => undefined);
  await channel.closeWrite().catch(() => undefined);
  const [text, { exitCode }] = await Promise.all([output, channel.closed, errors]);
  return exitCode === 0 ? text : null;
}

async function readText(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    if (length < LONGEST_OUTPUT) chunks.push(chunk);
    length += chunk.length;
  }
  return Buffer.concat(chunks).toString('utf8');
}
