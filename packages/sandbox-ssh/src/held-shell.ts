import { randomBytes } from 'node:crypto';
import type { ByteChannel } from '@hermes/sandbox';
import { programChannel } from './channel.ts';
import { MarkedText } from './marked-text.ts';
import { rejectionBy } from './rejection-by.ts';
import { markedCommand, quoteWords, shellError, skipGreeting } from './remote-shell.ts';
import type { SessionPool } from './session-pool.ts';

/** How a script ended and what it said. */
export type ScriptResult = Readonly<{ exitCode: number; output: string; errors: string }>;

/** What a script gets: words, and variables that are set before it begins. */
export type ScriptInput = Readonly<{
  args?: readonly string[];
  variables?: Readonly<Record<string, string>>;
}>;

/** A shell on the host that runs one script after the other: what the account's own shell does at its start is waited for once. */
export class HeldShell {
  readonly closed: Promise<unknown>;
  readonly #channel: ByteChannel;
  readonly #output: MarkedText;
  readonly #errors: MarkedText;

  /** Throws TRANSPORT when it is not there in time after its session was opened. */
  static async open(pool: SessionPool, timeoutMs: number): Promise<HeldShell> {
    const { command, mark } = markedCommand(`printf '%s\\n' "$1"; exec sh`, []);
    const channel = programChannel(await pool.exec(command));
    const late = AbortSignal.timeout(timeoutMs);
    try {
      return await Promise.race([greeted(channel, mark), rejectionBy(late)]);
    } catch (cause) {
      channel.destroy();
      throw late.aborted
        ? shellError(`the account's shell was not there within ${timeoutMs} ms`)
        : cause;
    }
  }

  constructor(channel: ByteChannel) {
    this.#channel = channel;
    this.closed = channel.closed;
    this.#output = new MarkedText(channel.stdout);
    this.#errors = new MarkedText(channel.stderr);
  }

  /** Runs a POSIX sh script; one at a time. Throws TRANSPORT when the shell ends. */
  async run(
    script: string,
    { args = [], variables = {} }: ScriptInput = {},
  ): Promise<ScriptResult> {
    const mark = randomBytes(12).toString('hex');
    const lines = [
      `( set -- ${quoteWords(args)}`,
      ...Object.entries(variables).map(([name, value]) => `${name}=${quoteWords([value])}`),
      `${script}`,
      `) </dev/null; printf '\\n%s %s\\n' ${mark} "$?"; printf '\\n%s\\n' ${mark} >&2`,
    ];
    await this.#channel.write(Buffer.from(`${lines.join('\n')}\n`));
    const [output, errors] = await Promise.all([
      this.#output.until(mark),
      this.#errors.until(mark),
    ]);
    const exitCode = Number(output.line);
    return { exitCode, output: output.text, errors: errors.text.trim() };
  }

  close(): void {
    this.#channel.destroy();
  }
}

/** The first, empty script leaves behind what was said to the error output until then. */
async function greeted(raw: ByteChannel, mark: string): Promise<HeldShell> {
  const { channel } = await skipGreeting(raw, mark);
  const shell = new HeldShell(channel);
  await shell.run(':');
  return shell;
}
