import type { Clock } from '@hermes/protocol';
import type { ByteChannel } from '../types.ts';
import { SandboxError } from '../types.ts';
import type { Connection } from './connection.ts';
import { within } from './deadline.ts';
import { goneError, isSandboxError, toSandboxError, transportError } from './errors.ts';
import { asBuffer, encodeControl, FRAME, type FrameCodec } from './frames.ts';
import { greet } from './handshake.ts';
import { parseErrorFrame, type ResumeOffsets, type Welcome } from './welcome.ts';

const RECONNECT_MS = 30_000;
const NEWCOMER_MS = 2000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2000;

/** One exec, session or transfer on a link. */
export interface LinkCall {
  /** `before`: how much of a data frame's payload came with earlier pieces of it. */
  onFrame(type: number, payload: Buffer, before: number): void;
  /** After a reconnect to the same supervisor: sends again what it needs and returns true, or false when it cannot go on. */
  resume(): boolean;
  /** What it holds already, by its key; null when it cannot be resumed. */
  offsets(): Readonly<{ key: string; stdout: number; stderr: number }> | null;
  /** Called about once a second, for deadlines. */
  onTick(): void;
  /** The end of the call: nothing follows. */
  onLost(error: SandboxError): void;
}

export type LinkOptions = Readonly<{
  open: () => Promise<ByteChannel>;
  codec: FrameCodec;
  clock: Clock;
  token: string;
  /** The supervisor cannot be reached any more; called once. */
  onGone: (error: SandboxError) => void;
}>;

/** The line to one supervisor: many calls over one channel, which is opened anew when it breaks. */
export class Link {
  readonly welcome: Welcome;
  readonly #options: LinkOptions;
  readonly #calls = new Map<number, LinkCall>();
  #connection: Connection;
  #lastId = 0;
  #lost: SandboxError | null = null;
  #reconnecting: Promise<void> | null = null;

  /** Greets the supervisor behind `channel`; throws TRANSPORT, AUTH or PROTOCOL. */
  static async open(channel: ByteChannel, options: LinkOptions): Promise<Link> {
    const early: { link?: Link } = {};
    const { codec, clock, token } = options;
    const { connection, welcome } = await greet(
      channel,
      codec,
      clock,
      { token, resume: {} },
      {
        onFrame: (type, id, payload, before) => early.link?.receive(type, id, payload, before),
        onTick: () => early.link?.tick(),
        onEnd: (error) => early.link?.connectionEnded(error),
      },
    );
    early.link = new Link(connection, welcome, options);
    return early.link;
  }

  private constructor(connection: Connection, welcome: Welcome, options: LinkOptions) {
    this.#connection = connection;
    this.welcome = welcome;
    this.#options = options;
  }

  has(feature: string): boolean {
    return this.welcome.features.has(feature);
  }

  /** Null when the channel is open; else a promise of that. Rejects with SANDBOX_GONE. */
  whenOpen(): Promise<void> | null {
    if (this.#lost !== null) return Promise.reject(this.#lost);
    return this.#reconnecting;
  }

  add(call: LinkCall): number {
    this.#lastId += 1;
    this.#calls.set(this.#lastId, call);
    return this.#lastId;
  }

  remove(id: number): void {
    this.#calls.delete(id);
  }

  control(type: number, id: number, value?: unknown): void {
    this.#connection.writer.send(encodeControl(this.#options.codec, type, id, value));
  }

  /** A control frame that may wait for company. */
  controlSoon(type: number, id: number): void {
    this.#connection.writer.hold(encodeControl(this.#options.codec, type, id));
  }

  data(type: number, id: number, payload: Uint8Array): void {
    this.#connection.send(type, id, payload);
  }

  /** Data that is not copied: it must not change until all of it was handed on. */
  bulk(type: number, id: number, payload: Uint8Array): void {
    const { writer } = this.#connection;
    writer.hold(this.#options.codec.encodeHeader(type, id, payload.length));
    writer.send(asBuffer(payload));
  }

  /** Nothing more is read from the channel until then. */
  hold(until: Promise<void>): void {
    this.#connection.hold(until);
  }

  room(): Promise<void> | null {
    return this.#connection.writer.room();
  }

  get codec(): FrameCodec {
    return this.#options.codec;
  }

  /** Resolves when the supervisor has given a sign of life. */
  async probe(): Promise<void> {
    await this.whenOpen();
    await this.#connection.probe();
  }

  /** Ends every call with this error, then asks the supervisor to end and waits for that, at most `graceMs` and a bit. */
  async shutdown(graceMs: number, error: SandboxError): Promise<void> {
    const reachable = this.#lost === null && this.#reconnecting === null;
    this.#failCalls(error);
    if (!reachable) return this.#connection.destroy(error);
    this.control(FRAME.shutdown, 0, { graceMs });
    await within(this.#options.clock, graceMs + 3000, this.#connection.closed);
    this.#connection.destroy(error);
  }

  /** Ends the channel and every call on it with this error. The supervisor is left alone. */
  lose(error: SandboxError): void {
    if (this.#lost !== null) return;
    this.#failCalls(error);
    this.#connection.destroy(error);
    this.#options.onGone(error);
  }

  #failCalls(error: SandboxError): void {
    this.#lost ??= error;
    const calls = [...this.#calls.values()];
    this.#calls.clear();
    for (const call of calls) call.onLost(error);
  }

  receive(type: number, id: number, payload: Buffer, before: number): void {
    if (id !== 0) this.#calls.get(id)?.onFrame(type, payload, before);
    else if (type === FRAME.error) {
      const { code, message } = parseErrorFrame(payload);
      this.#connection.destroy(transportError(`the supervisor gave up: ${code} ${message}`));
    }
  }

  tick(): void {
    for (const call of this.#calls.values()) call.onTick();
  }

  connectionEnded(error: SandboxError): void {
    if (this.#lost !== null || this.#reconnecting !== null) return;
    if (this.has('reconnect')) {
      this.#reconnecting = this.#reconnect(error);
      this.#reconnecting.catch(() => undefined);
    } else this.lose(goneError(error.message, error));
  }

  async #reconnect(reason: SandboxError): Promise<void> {
    const { clock } = this.#options;
    const start = clock.now().monoMs;
    let last: unknown = reason;
    let pause = FIRST_PAUSE_MS;
    while (this.#lost === null && clock.now().monoMs - start < RECONNECT_MS) {
      try {
        return await this.#openAgain();
      } catch (cause) {
        last = cause;
        if (isSandboxError(cause) && cause.code !== 'TRANSPORT') break;
      }
      await clock.sleep(pause);
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
    }
    const why = toSandboxError(last, 'reconnect to the supervisor').message;
    this.lose(goneError(`the sandbox cannot be reached any more: ${why}`, last));
    throw this.#lost ?? reason;
  }

  async #openAgain(): Promise<void> {
    const { open, codec, clock, token } = this.#options;
    const greeted = await greet(
      await open(),
      codec,
      clock,
      { token, resume: this.#offsets() },
      {
        onFrame: (type, id, payload, before) => this.receive(type, id, payload, before),
        onTick: () => this.tick(),
        onEnd: (error) => this.connectionEnded(error),
      },
    );
    const { connection, welcome } = greeted;
    if (this.#lost !== null) return connection.destroy(this.#lost);
    this.#connection = connection;
    if (welcome.pid !== this.welcome.pid || welcome.boot !== this.welcome.boot)
      await this.#refuseNewcomer(connection);
    this.#reconnecting = null;
    this.#resumeCalls();
  }

  /** Opening the channel has started another supervisor, in which nothing of the old one's lives on. */
  async #refuseNewcomer(connection: Connection): Promise<never> {
    this.control(FRAME.shutdown, 0, { graceMs: 0 });
    await within(this.#options.clock, NEWCOMER_MS, connection.closed);
    throw goneError('its supervisor had ended, and all processes with it');
  }

  #offsets(): ResumeOffsets {
    const resume: ResumeOffsets = {};
    for (const call of this.#calls.values()) {
      const offsets = call.offsets();
      if (offsets !== null)
        resume[offsets.key] = { stdout: offsets.stdout, stderr: offsets.stderr };
    }
    return resume;
  }

  #resumeCalls(): void {
    for (const [id, call] of [...this.#calls]) {
      if (call.resume()) continue;
      this.#calls.delete(id);
      call.onLost(brokenCall());
    }
  }
}

function brokenCall(): SandboxError {
  const message = 'the channel broke during the call; it is open again';
  return new SandboxError('TRANSPORT', 'request', message, { retryable: true });
}
