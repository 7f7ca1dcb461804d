import { randomBytes } from 'node:crypto';
import type { ByteChannel } from '@hermes/sandbox';
import { SandboxError } from '@hermes/sandbox';

const LONGEST_GREETING = 65_536;

/** Words as one command for the account's own shell, whichever that is. */
export function quoteWords(words: readonly string[]): string {
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
  return shellError(`a program did not start; the host said: ${said === '' ? 'nothing' : said}`);
}

/** A shell on the host that did not do what it should. */
export function shellError(what: string): SandboxError {
  const message = `run a command over ssh: ${what}`;
  return new SandboxError('TRANSPORT', 'sandbox', message, { retryable: true });
}

/** All that a stream has, as text. */
export async function textOf(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
