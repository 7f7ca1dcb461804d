import type { Clock } from '@hermes/protocol';
import { SandboxError } from '../types.ts';
import {
  type ExitFrame,
  parseExit,
  parseStarted,
  type StartedFrame,
  type StartFrame,
} from './exec-frames.ts';
import { FRAME, MAX_DATA_BYTES } from './frames.ts';
import type { Link, LinkCall } from './link.ts';
import { OutputCollector } from './output-collector.ts';
import { ReceiveCredit } from './receive-credit.ts';
import { SendWindow } from './send-window.ts';
import { parseErrorFrame } from './welcome.ts';

const START_MS = 60_000;
const MARGIN_MS = 10_000;
const MOST_WAITING_BYTES = 1_048_576;

export type StreamName = 'stdout' | 'stderr';

/** Sees the output as it comes. Returns false when it keeps the chunk for later and will say so with `consumed`. */
export type OnOutput = (chunk: Buffer, stream: StreamName) => boolean;

/** `late`: the supervisor never said how it ended, though it should have long ago. */
export type CallEnd = Readonly<{ exit: ExitFrame | null; late: 'timeout' | 'cancelled' | null }>;

export type ExecCallOptions = Readonly<{
  start: StartFrame;
  scriptParts: Uint8Array | null;
  /** What is kept on this side. */
  capture: Readonly<{ maxBytes: number; keep: StartFrame['keep'] }>;
  /** The caller named the key and may ask again, so the supervisor does not forget it. */
  keepResult: boolean;
  /** The supervisor cannot kill at the output limit, so this side does. */
  limitHere: boolean;
  onOutput?: OnOutput;
}>;

/** One command on a link, from its start frame to its exit frame. */
export class ExecCall implements LinkCall {
  readonly id: number;
  readonly key: string;
  readonly stdout: OutputCollector;
  readonly stderr: OutputCollector;
  readonly window: SendWindow;
  /** Rejects with SANDBOX_GONE, TRANSPORT, SESSION_BUSY or SANDBOX_UNHEALTHY. */
  readonly ended: Promise<CallEnd>;
  /** Resolves at the start, or null when it ended without one. */
  readonly whenStarted: Promise<StartedFrame | null>;
  started: StartedFrame | null = null;
  readonly #link: Link;
  readonly #clock: Clock;
  readonly #options: ExecCallOptions;
  readonly #credit: ReceiveCredit;
  readonly #sentAtMs: number;
  #startedMono = 0;
  /** Where the next piece of the data frame that is coming belongs; frames come one after the other. */
  #dataOffset = 0;
  #cancelledMono: number | null = null;
  #stdinEnded = false;
  #limitHit = false;
  #waiting = 0;
  #release: (() => void) | null = null;
  #resolve: (end: CallEnd) => void = () => undefined;
  #reject: (error: SandboxError) => void = () => undefined;
  #resolveStarted: (started: StartedFrame | null) => void = () => undefined;

  constructor(link: Link, clock: Clock, options: ExecCallOptions) {
    this.#link = link;
    this.#clock = clock;
    this.#options = options;
    this.key = options.start.key;
    const { maxBytes, keep } = options.capture;
    this.stdout = new OutputCollector(maxBytes, keep);
    this.stderr = new OutputCollector(maxBytes, keep);
    this.window = new SendWindow(link);
    this.ended = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.ended.catch(() => undefined);
    this.whenStarted = new Promise((resolve) => {
      this.#resolveStarted = resolve;
    });
    this.id = link.add(this);
    this.#credit = new ReceiveCredit(link, this.id);
    this.#sentAtMs = clock.now().monoMs;
    this.#sendStart();
  }

  /** TERM to the tree, then KILL; the status becomes `cancelled`. */
  cancel(): void {
    if (this.#cancelledMono !== null) return;
    this.#cancelledMono = this.#clock.now().monoMs;
    this.#sendCancel();
  }

  signal(signal: string): void {
    this.#link.control(FRAME.signal, this.id, { signal, tree: true });
  }

  resize(cols: number, rows: number): void {
    this.#link.control(FRAME.resize, this.id, { cols, rows });
  }

  endStdin(): void {
    if (this.#stdinEnded || this.window.closed) return;
    this.#stdinEnded = true;
    this.#link.control(FRAME.stdinEnd, this.id);
  }

  /** A chunk that `onOutput` kept was taken in. */
  consumed(bytes: number): void {
    this.#waiting -= bytes;
    if (this.#waiting < MOST_WAITING_BYTES) this.#release?.();
    if (!this.window.closed) this.#credit.consumed(bytes);
  }

  onFrame(type: number, payload: Buffer, before: number): void {
    if (type === FRAME.stdout) this.#onOutput(payload, before, this.stdout, 'stdout');
    else if (type === FRAME.stderr) this.#onOutput(payload, before, this.stderr, 'stderr');
    else if (type === FRAME.exit) this.#onExit(payload);
    else if (type === FRAME.started) this.#onStarted(payload);
    else if (type === FRAME.credit) this.window.add(payload.readUInt32BE(0));
    else if (type === FRAME.error) this.#onError(payload);
  }

  offsets(): Readonly<{ key: string; stdout: number; stderr: number }> {
    return { key: this.key, stdout: this.stdout.next, stderr: this.stderr.next };
  }

  /** Input that was on its way cannot be known to have come, so a command that still reads cannot go on. */
  resume(): boolean {
    if (!this.window.settled) return false;
    this.window.reset();
    this.#credit.reset();
    this.#sendStart();
    if (this.#stdinEnded) this.#link.control(FRAME.stdinEnd, this.id);
    if (this.#cancelledMono !== null) this.#sendCancel();
    return true;
  }

  onTick(): void {
    const now = this.#clock.now().monoMs;
    const { timeoutMs, killGraceMs, drainMs } = this.#options.start;
    const ending = killGraceMs + drainMs + MARGIN_MS;
    const isOver = (sinceMs: number | null) => sinceMs !== null && now > sinceMs + ending;
    if (isOver(this.#cancelledMono)) this.#giveUp('cancelled');
    else if (this.started !== null) {
      if (timeoutMs > 0 && isOver(this.#startedMono + timeoutMs)) this.#giveUp('timeout');
    } else if (now > this.#sentAtMs + START_MS) this.onLost(notStartedInTime());
  }

  onLost(error: SandboxError): void {
    this.#finish();
    this.#reject(error);
  }

  #sendStart(): void {
    const { start, scriptParts } = this.#options;
    if (scriptParts !== null)
      for (let sent = 0; sent < scriptParts.length; sent += MAX_DATA_BYTES)
        this.#link.data(FRAME.script, this.id, scriptParts.subarray(sent, sent + MAX_DATA_BYTES));
    this.#link.control(FRAME.start, this.id, start);
  }

  #sendCancel(): void {
    this.#link.control(FRAME.signal, this.id, { signal: 'TERM', tree: true, reason: 'cancel' });
  }

  #onOutput(payload: Buffer, before: number, collector: OutputCollector, stream: StreamName): void {
    const { codec } = this.#link;
    if (before === 0) this.#dataOffset = codec.readOffset(payload);
    const data = before === 0 ? payload.subarray(codec.offsetBytes) : payload;
    const fresh = collector.add(this.#dataOffset, data);
    this.#dataOffset += data.length;
    if (this.#options.limitHere && collector.next > this.#options.capture.maxBytes)
      this.#hitLimit();
    const kept = fresh.length > 0 && this.#options.onOutput?.(fresh, stream) === false;
    this.#credit.consumed(kept ? data.length - fresh.length : data.length);
    if (kept) this.#wait(fresh.length);
  }

  #hitLimit(): void {
    this.#limitHit = true;
    this.cancel();
  }

  /** Without credit only the whole channel can be held back for a slow reader. */
  #wait(bytes: number): void {
    this.#waiting += bytes;
    if (this.#waiting < MOST_WAITING_BYTES || this.#link.has('credit')) return;
    this.#link.hold(
      new Promise((resolve) => {
        this.#release = resolve;
      }),
    );
  }

  #onStarted(payload: Buffer): void {
    this.#startedMono = this.#clock.now().monoMs;
    this.started ??= parseStarted(payload);
    this.#resolveStarted(this.started);
  }

  #onExit(payload: Buffer): void {
    this.#finish();
    if (!this.#options.keepResult) this.#link.controlSoon(FRAME.ack, this.id);
    const exit = parseExit(payload);
    const isOurLimit = this.#limitHit && exit.status === 'cancelled';
    this.#resolve({
      exit: isOurLimit ? { ...exit, status: 'output_limit_killed' } : exit,
      late: null,
    });
  }

  #onError(payload: Buffer): void {
    const { code, message } = parseErrorFrame(payload);
    const known = code === 'SESSION_BUSY' || code === 'UNSUPPORTED' ? code : 'EXEC_NOT_STARTED';
    const options = { retryable: code === 'SESSION_BUSY' };
    const error = new SandboxError(known, 'request', `start a command: ${message}`, options);
    this.onLost(code === 'TAKEN_OVER' ? takenOver() : error);
  }

  #giveUp(late: 'timeout' | 'cancelled'): void {
    this.signal('KILL');
    this.#finish();
    this.#resolve({ exit: null, late });
  }

  #finish(): void {
    this.#release?.();
    this.#link.remove(this.id);
    this.window.close();
    this.#resolveStarted(this.started);
  }
}

function takenOver(): SandboxError {
  const message = 'wait for a command: another client asked for it by its key and gets its result';
  return new SandboxError('TRANSPORT', 'request', message);
}

function notStartedInTime(): SandboxError {
  const message = 'start a command: the supervisor did not start it within 60 s';
  return new SandboxError('SANDBOX_UNHEALTHY', 'sandbox', message);
}
