import type { Proc, Sandbox } from '@hermes/sandbox';
import { RawOutput } from './raw-output.ts';
import { Screen } from './screen.ts';

export type TerminalSize = Readonly<{ cols: number; rows: number }>;

/** The prompt ends with a mark that only the terminal sees: the shell waits for a command. */
const START = String.raw`
mark=$(printf '\033]133;B\007')
if command -v bash >/dev/null 2>&1; then export PS1="\w\$ \[$mark\]"; exec bash --norc --noprofile -i; fi
export PS1="\$ $mark"; exec sh -i`;

/** Of what came before the first read. */
const FIRST_BYTES = 64 * 1024;

/** A shell at a terminal of the sandbox, as a person would use it. No program is needed for it inside but the shell. */
export class Terminal {
  readonly #proc: Proc;
  readonly #screen: Screen;
  readonly #raw = new RawOutput();
  readonly #waiting = new Set<() => void>();
  #isOpen = true;

  static async open(sandbox: Sandbox, size: TerminalSize): Promise<Terminal> {
    const proc = await sandbox.spawn({
      command: { script: START, shell: 'sh' },
      timeoutMs: Number.POSITIVE_INFINITY,
      stdin: 'open',
      tty: size,
      env: { TERM: 'xterm-256color' },
      output: { maxBytes: FIRST_BYTES, keep: 'head' },
    });
    return new Terminal(proc, size);
  }

  private constructor(proc: Proc, { cols, rows }: TerminalSize) {
    this.#proc = proc;
    this.#screen = new Screen(cols, rows, () => this.#wake());
    void this.#read();
  }

  /** False once its shell has ended. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** How often the shell asked for a command. */
  get prompts(): number {
    return this.#screen.prompts;
  }

  type(bytes: Uint8Array): Promise<void> {
    return this.#proc.write(bytes);
  }

  /** True once the shell asked for a command more than `count` times, or has ended; false when the signal fires before. */
  async untilPrompt(count: number, signal: AbortSignal): Promise<boolean> {
    while (this.#isOpen && this.#screen.prompts <= count) {
      if (signal.aborted) return false;
      await this.#nextEvent(signal);
    }
    return true;
  }

  text(isEntire: boolean): Promise<string> {
    return this.#screen.text(isEntire);
  }

  take(maxBytes: number, isFromStart: boolean): ReturnType<RawOutput['take']> {
    return this.#raw.take(maxBytes, isFromStart);
  }

  /** Ends its shell and everything that runs there. Idempotent. */
  async close(): Promise<void> {
    if (this.#isOpen) await this.#proc.kill('KILL');
    this.#end();
  }

  async #read(): Promise<void> {
    try {
      for await (const chunk of this.#proc.stdout) {
        this.#raw.push(chunk);
        this.#screen.write(chunk);
      }
    } catch {
      // the sandbox is gone, and the terminal with it
    }
    this.#end();
  }

  #end(): void {
    this.#isOpen = false;
    this.#wake();
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
  }

  #nextEvent(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        this.#waiting.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      this.#waiting.add(done);
      signal.addEventListener('abort', done, { once: true });
    });
  }
}
