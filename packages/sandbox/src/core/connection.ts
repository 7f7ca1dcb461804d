import type { Clock } from '@hermes/protocol';
import type { ByteChannel, SandboxError } from '../types.ts';
import { every, within } from './deadline.ts';
import { messageOf, transportError } from './errors.ts';
import { FrameWriter } from './frame-writer.ts';
import { FRAME, type FrameCodec, type OnFrame } from './frames.ts';

const TICK_MS = 1000;
const IDLE_TICKS_UNTIL_PING = 5;
const SILENT_TICKS_UNTIL_LOST = 15;
const CLOSING_MS = 1000;
const STDERR_TAIL = 2000;

/** What a connection tells its owner. `onEnd` is called once and last. */
export type ConnectionEvents = Readonly<{
  onFrame: OnFrame;
  onEnd: (error: SandboxError) => void;
  onTick: () => void;
}>;

/** Frames over one byte channel, with its heartbeat: 5 s without a word is a ping, 15 s the end. */
export class Connection {
  readonly writer: FrameWriter;
  readonly #channel: ByteChannel;
  readonly #codec: FrameCodec;
  readonly #events: ConnectionEvents;
  readonly #stop = new AbortController();
  #silentTicks = 0;
  #stderr = '';
  #onHeard: (() => void)[] = [];
  #held: Promise<void> | null = null;

  constructor(channel: ByteChannel, codec: FrameCodec, clock: Clock, events: ConnectionEvents) {
    this.#channel = channel;
    this.#codec = codec;
    this.#events = events;
    this.writer = new FrameWriter(channel, (cause) => void this.#explainEnd(clock, cause));
    void this.#read(clock);
    void this.#readStderr();
    void every(clock, TICK_MS, this.#stop.signal, () => this.#tick());
  }

  send(type: number, id: number, payload: Uint8Array): void {
    this.writer.send(this.#codec.encode(type, id, payload));
  }

  /** Resolves when the process behind the channel has ended. */
  get closed(): Promise<unknown> {
    return this.#channel.closed;
  }

  get ended(): boolean {
    return this.#stop.signal.aborted;
  }

  /** Reads nothing until then; the other side's silence does not count meanwhile. */
  hold(until: Promise<void>): void {
    const before = this.#held ?? Promise.resolve();
    this.#held = before.then(() => until);
  }

  /** Asks the other side for a sign of life; resolves with the next bytes that come. */
  probe(): Promise<void> {
    const heard = new Promise<void>((resolve) => this.#onHeard.push(resolve));
    this.send(FRAME.ping, 0, new Uint8Array(8));
    return heard;
  }

  /** Ends the connection and its process without a word to the other side. */
  destroy(error: SandboxError): void {
    if (this.#stop.signal.aborted) return;
    this.#stop.abort();
    this.writer.close();
    this.#channel.destroy();
    this.#events.onEnd(error);
  }

  async #read(clock: Clock): Promise<void> {
    const decode = this.#codec.createDecoder((type, id, payload, before) =>
      this.#receive(type, id, payload, before),
    );
    try {
      for await (const chunk of this.#channel.stdout) {
        if (this.#stop.signal.aborted) return;
        this.#silentTicks = 0;
        if (this.#onHeard.length > 0) for (const heard of this.#onHeard.splice(0)) heard();
        decode(chunk);
        while (this.#held !== null) await this.#waitHeld(this.#held);
      }
      await this.#explainEnd(clock, undefined);
    } catch (cause) {
      await this.#explainEnd(clock, cause);
    }
  }

  async #waitHeld(until: Promise<void>): Promise<void> {
    await until;
    if (this.#held === until) this.#held = null;
  }

  #receive(type: number, id: number, payload: Buffer, before: number): void {
    if (this.#stop.signal.aborted) return;
    if (type === FRAME.ping) this.send(FRAME.pong, 0, payload);
    else if (type !== FRAME.pong) this.#events.onFrame(type, id, payload, before);
  }

  async #readStderr(): Promise<void> {
    try {
      for await (const chunk of this.#channel.stderr)
        this.#stderr = (this.#stderr + Buffer.from(chunk).toString('utf8')).slice(-STDERR_TAIL);
    } catch (cause) {
      this.#stderr += ` (stderr ended: ${messageOf(cause)})`;
    }
  }

  #tick(): void {
    this.#silentTicks = this.#held === null ? this.#silentTicks + 1 : 0;
    if (this.#silentTicks >= SILENT_TICKS_UNTIL_LOST) {
      this.destroy(transportError('the supervisor has been silent for 15 s'));
      return;
    }
    if (this.#silentTicks >= IDLE_TICKS_UNTIL_PING) this.send(FRAME.ping, 0, new Uint8Array(8));
    this.writer.flush();
    this.#events.onTick();
  }

  /** Waits for the process's own end for a moment, since that says more than the end of its output. */
  async #explainEnd(clock: Clock, cause: unknown): Promise<void> {
    if (this.#stop.signal.aborted) return;
    const closed = await within(clock, CLOSING_MS, this.#channel.closed);
    const how = closed.late
      ? 'its output ended'
      : (closed.value.error ?? `exit code ${closed.value.exitCode}`);
    const why = cause === undefined ? '' : `; ${messageOf(cause)}`;
    const words = this.#stderr.trim() === '' ? '' : `; it said: ${this.#stderr.trim()}`;
    this.destroy(
      transportError(`the channel to the supervisor ended (${how})${why}${words}`, cause),
    );
  }
}
