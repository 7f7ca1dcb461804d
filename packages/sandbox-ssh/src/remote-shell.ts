import { randomBytes } from 'node:crypto';
import type { ByteChannel } from '@hermes/sandbox';
import { SandboxError } from '@hermes/sandbox';
import { programChannel } from './channel.ts';
import type { SessionPool } from './session-pool.ts';

/** How a script ended and what it said. */
export type ScriptResult = Readonly<{ exitCode: number | null; output: string; errors: string }>;

export type ScriptOptions = Readonly<{
  args?: readonly string[];
  /** Set before the script begins. */
  variables?: Readonly<Record<string, string>>;
  input?: Uint8Array;
  /** Default 120 s. */
  timeoutMs?: number;
  signal?: AbortSignal | undefined;
}>;

const LONGEST_MS = 120_000;
const LONGEST_GREETING = 65_536;

/** Words as one command for the account's own shell, whichever that is. */
function quoteWords(words: readonly string[]): string {
  return words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
}

/** A command that says a word of ours first: what the account's shell prints when it starts stands before it. */
export function markedCommand(
  script: string,
  args: readonly string[],
): { command: string; mark: string } {
  const mark = randomBytes(12).toString('hex');
  const words = ['sh', '-c', oneLine(script), 'sh', mark, ...args];
  return { command: `exec ${quoteWords(words)}`, mark };
}

/** Some shells take no line ends in quotes. */
function oneLine(script: string): string {
  return script
    .trim()
    .split('\n')
    .map((line) => line.trim())
    .join(' ');
}

/**
 * Runs a POSIX sh script in a session of its own and waits for its end. It is sent as input, unless `input` is given: then it
 * must be such that its lines can be joined by spaces. Throws TRANSPORT when the connection breaks or its time is over.
 */
export async function runScript(
  pool: SessionPool,
  script: string,
  { args = [], variables = {}, input, timeoutMs = LONGEST_MS, signal }: ScriptOptions = {},
): Promise<ScriptResult> {
  const first = `printf '%s\\n' "$1"; shift;`;
  const { command, mark } = markedCommand(
    input === undefined ? `${first} exec sh -s -- "$@"` : `${first} ${script}`,
    args,
  );
  const channel = programChannel(await pool.exec(command, signal));
  const late = AbortSignal.timeout(timeoutMs);
  const stop = AbortSignal.any([late, ...(signal === undefined ? [] : [signal])]);
  try {
    const text = input ?? Buffer.from(`${settings(variables)}${script}`);
    const result = await Promise.race([talk(channel, text), rejectionBy(stop)]);
    return { ...result, output: afterMark(result.output, mark) };
  } catch (cause) {
    signal?.throwIfAborted();
    throw late.aborted
      ? transport(`the account's shell was not done within ${timeoutMs} ms`)
      : cause;
  } finally {
    channel.destroy();
  }
}

/** A server may wait with the end of a channel until its program has ended, which may be never. */
function rejectionBy(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const fail = () => reject(signal.reason);
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
  });
}

function settings(variables: Readonly<Record<string, string>>): string {
  const lines = Object.entries(variables).map(
    ([name, value]) => `${name}=${quoteWords([value])}\n`,
  );
  return lines.join('');
}

async function talk(channel: ByteChannel, input: Uint8Array): Promise<ScriptResult> {
  const texts = Promise.all([textOf(channel.stdout), textOf(channel.stderr)]);
  // A script that ended early takes no more input; its exit code says what there is to say.
  await channel.write(input).catch(() => undefined);
  await channel.closeWrite();
  const [[output, errors], { exitCode, error }] = await Promise.all([texts, channel.closed]);
  if (exitCode === null) throw transport(error ?? 'it ended without a word');
  return { exitCode, output, errors: errors.trim() };
}

async function textOf(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function afterMark(output: string, mark: string): string {
  const at = output.indexOf(`${mark}\n`);
  if (at < 0)
    throw transport(
      `the account's shell ran no command of ours; it said: ${output.slice(0, 500).trim()}`,
    );
  return output.slice(at + mark.length + 1);
}

/** Reads the channel up to the line that begins with the mark; its end before that is TRANSPORT. Resolves with the rest of that line, and the channel without it. */
export async function skipGreeting(
  channel: ByteChannel,
  mark: string,
): Promise<{ line: string; channel: ByteChannel }> {
  const chunks = channel.stdout[Symbol.asyncIterator]();
  let read = Buffer.alloc(0);
  for (;;) {
    const start = read.indexOf(mark);
    const end = start < 0 ? -1 : read.indexOf('\n', start);
    if (end >= 0) {
      const line = read
        .subarray(start + mark.length, end)
        .toString('utf8')
        .trim();
      return { line, channel: { ...channel, stdout: resume(read.subarray(end + 1), chunks) } };
    }
    const next = await chunks.next();
    if (next.done === true || read.length > LONGEST_GREETING)
      throw await refusedStart(channel, read);
    read = Buffer.concat([read, next.value]);
  }
}

async function* resume(
  first: Uint8Array,
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  if (first.length > 0) yield first;
  for (;;) {
    const next = await rest.next();
    if (next.done === true) return;
    yield next.value;
  }
}

async function refusedStart(channel: ByteChannel, read: Buffer): Promise<SandboxError> {
  const errors = await textOf(channel.stderr);
  const said = `${errors}${read.toString('utf8')}`.trim().slice(0, 500);
  return transport(`a program did not start; the host said: ${said === '' ? 'nothing' : said}`);
}

function transport(what: string): SandboxError {
  const message = `run a command over ssh: ${what}`;
  return new SandboxError('TRANSPORT', 'sandbox', message, { retryable: true });
}
