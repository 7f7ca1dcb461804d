import { feedScript } from './feed-script.ts';
import { HeldShell, type ScriptInput, type ScriptResult } from './held-shell.ts';
import { rejectionBy } from './rejection-by.ts';
import { shellError } from './remote-shell.ts';
import type { SessionPool } from './session-pool.ts';

export type ErrandOptions = ScriptInput &
  Readonly<{
    /** Default 120 s. */
    timeoutMs?: number;
    signal?: AbortSignal | undefined;
  }>;

type Waiter = Readonly<{ resolve: (shell: HeldShell) => void; reject: (cause: unknown) => void }>;

const LONGEST_MS = 120_000;
const MOST_SHELLS = 4;

/** Short scripts on the host beside the sandboxes' own channels, each in a shell that is kept for the next. */
export class Errands {
  readonly #pool: SessionPool;
  readonly #openTimeoutMs: number;
  readonly #shells = new Set<HeldShell>();
  #idle: HeldShell[] = [];
  #opening = 0;
  #feeding = 0;
  #waiting: Waiter[] = [];

  /** openTimeoutMs: longest wait for the account's shell. */
  constructor(pool: SessionPool, openTimeoutMs: number) {
    this.#pool = pool;
    this.#openTimeoutMs = openTimeoutMs;
  }

  /** Runs a POSIX sh script. Throws TRANSPORT when the connection breaks or its time is over, and what opening a session throws. */
  async run(
    script: string,
    { timeoutMs = LONGEST_MS, signal, ...input }: ErrandOptions = {},
  ): Promise<ScriptResult> {
    const shell = await this.#take(signal);
    const late = AbortSignal.timeout(timeoutMs);
    const stop = AbortSignal.any([late, ...(signal === undefined ? [] : [signal])]);
    try {
      const result = await Promise.race([shell.run(script, input), rejectionBy(stop)]);
      this.#give(shell);
      return result;
    } catch (cause) {
      // It may still be busy with the script.
      shell.close();
      this.#forget(shell);
      signal?.throwIfAborted();
      throw late.aborted ? shellError(`it was not done within ${timeoutMs} ms`) : cause;
    }
  }

  /** Runs a script that reads bytes: that needs a session of its own, for which shells that nobody uses make room. */
  async feed(script: string, args: readonly string[], input: Uint8Array): Promise<ScriptResult> {
    this.#feeding += 1;
    for (const shell of this.#idle) shell.close();
    try {
      return await feedScript(this.#pool, script, args, input);
    } finally {
      this.#feeding -= 1;
    }
  }

  close(): void {
    this.#pool.close();
  }

  #take(signal: AbortSignal | undefined): Promise<HeldShell> {
    const idle = this.#idle.pop();
    if (idle !== undefined) return Promise.resolve(idle);
    this.#open();
    const served = new AbortController();
    const waiting = new Promise<HeldShell>((resolve, reject) => {
      const waiter = { resolve, reject };
      this.#waiting.push(waiter);
      const leave = () => {
        this.#waiting = this.#waiting.filter((one) => one !== waiter);
        reject(signal?.reason);
      };
      if (signal?.aborted) leave();
      else signal?.addEventListener('abort', leave, { once: true, signal: served.signal });
    });
    return waiting.finally(() => served.abort());
  }

  /** Opens one more, unless there are enough. Whoever waits gets the first that is free, whether new or not. */
  #open(): void {
    if (this.#opening + this.#shells.size >= MOST_SHELLS) return;
    this.#opening += 1;
    HeldShell.open(this.#pool, this.#openTimeoutMs).then(
      (shell) => {
        this.#opening -= 1;
        this.#shells.add(shell);
        void shell.closed.then(() => this.#forget(shell));
        this.#give(shell);
      },
      (cause) => {
        this.#opening -= 1;
        if (this.#opening + this.#shells.size === 0) this.#refuse(cause);
      },
    );
  }

  #give(shell: HeldShell): void {
    if (!this.#shells.has(shell)) return;
    const next = this.#waiting.shift();
    if (next !== undefined) next.resolve(shell);
    else if (this.#feeding > 0) shell.close();
    else this.#idle.push(shell);
  }

  /** Another one takes its place when somebody waits. */
  #forget(shell: HeldShell): void {
    if (!this.#shells.delete(shell)) return;
    this.#idle = this.#idle.filter((one) => one !== shell);
    if (this.#waiting.length > 0) this.#open();
  }

  #refuse(cause: unknown): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { reject } of waiting) reject(cause);
  }
}
