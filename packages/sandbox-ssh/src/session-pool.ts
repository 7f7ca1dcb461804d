import { setTimeout as sleep } from 'node:timers/promises';
import { SandboxError } from '@hermes/sandbox';
import type { ClientChannel } from 'ssh2';
import type { SshConnection } from './ssh-connection.ts';
import { CHANNEL_REASON, cancelled, channelReason, sshError, wasDropped } from './ssh-error.ts';

/** A connection with what is open on it. */
type Lane = {
  readonly connection: Promise<SshConnection>;
  open: number;
  /** How many sessions its server has let us have. */
  limit: number;
};

export type PoolOptions = Readonly<{
  connect: () => Promise<SshConnection>;
  connections: number;
  sessionsPerConnection: number;
}>;

/** Servers drop connections when too many are logging in at once. */
const CONNECTING_AT_ONCE = 4;
const LONGEST_WAIT_MS = 120_000;
const CONNECT_ATTEMPTS = 4;
const DROPPED_PAUSE_MS = 250;
const REFUSED_PAUSE_MS = 50;
const REFUSALS_WHEN_ALONE = 40;

/** Sessions over as many connections as they need. Who finds no room waits until a session ends. */
export class SessionPool {
  readonly #options: PoolOptions;
  readonly #lanes = new Set<Lane>();
  readonly #waiting = new Set<() => void>();
  #connecting = 0;
  #isClosed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** Runs a command; its session counts until the channel is closed. Throws AUTH, TRANSPORT, CAPACITY, UNSUPPORTED or CANCELLED. */
  async exec(command: string, signal?: AbortSignal): Promise<ClientChannel> {
    const late = AbortSignal.timeout(LONGEST_WAIT_MS);
    const ends = AbortSignal.any([late, ...(signal === undefined ? [] : [signal])]);
    for (let refusals = 0; ; ) {
      const lane = await this.#enter(ends, signal);
      try {
        const channel = await this.#exec(lane, command, signal);
        if (channel !== null) return channel;
      } catch (cause) {
        this.#leave(lane);
        throw sshError(cause, 'open an ssh session');
      }
      refusals += 1;
      const isAlone = lane.open <= 1;
      lane.limit = Math.max(1, lane.open - 1);
      this.#leave(lane);
      if (isAlone && refusals > REFUSALS_WHEN_ALONE) throw noSession();
      if (isAlone) await sleep(REFUSED_PAUSE_MS);
    }
  }

  /** Any open connection, for what needs no session. */
  async connection(signal?: AbortSignal): Promise<SshConnection> {
    const late = AbortSignal.timeout(LONGEST_WAIT_MS);
    const lane = [...this.#lanes][0] ?? (await this.#enter(late, signal, false));
    return lane.connection;
  }

  close(): void {
    this.#isClosed = true;
    for (const { connection } of this.#lanes)
      void connection.then(
        (open) => open.close(),
        () => undefined,
      );
    this.#wake();
  }

  /** Null when the server refused one more session. */
  async #exec(
    lane: Lane,
    command: string,
    signal: AbortSignal | undefined,
  ): Promise<ClientChannel | null> {
    const connection = await lane.connection;
    if (signal?.aborted) throw cancelled('open an ssh session', signal.reason);
    try {
      const channel = await connection.exec(command);
      let isCounted = true;
      const leave = () => {
        if (isCounted) this.#leave(lane);
        isCounted = false;
      };
      const forget = connection.onClosed(leave);
      channel.once('close', () => {
        forget();
        leave();
      });
      if (signal?.aborted) {
        channel.resume().stderr.resume();
        channel.destroy();
      }
      return channel;
    } catch (cause) {
      if (connection.isOpen && channelReason(cause) !== null) return null;
      throw cause;
    }
  }

  async #enter(ends: AbortSignal, signal: AbortSignal | undefined, counts = true): Promise<Lane> {
    for (;;) {
      if (this.#isClosed) throw closed();
      if (signal?.aborted) throw cancelled('open an ssh session', signal.reason);
      if (ends.aborted) throw noRoom(this.#options.connections);
      const lane = [...this.#lanes].find(({ open, limit }) => open < limit) ?? this.#addLane();
      if (lane !== null) {
        if (counts) lane.open += 1;
        return lane;
      }
      await this.#room(ends);
    }
  }

  /** Null when there are as many as there may be, or too many are logging in. */
  #addLane(): Lane | null {
    const { connections, sessionsPerConnection, connect } = this.#options;
    if (this.#lanes.size >= connections || this.#connecting >= CONNECTING_AT_ONCE) return null;
    this.#connecting += 1;
    const connection = connectPatiently(connect).finally(() => {
      this.#connecting -= 1;
      this.#wake();
    });
    const lane: Lane = { connection, open: 0, limit: sessionsPerConnection };
    this.#lanes.add(lane);
    const remove = () => {
      this.#lanes.delete(lane);
      this.#wake();
    };
    void connection.then((open) => {
      if (this.#isClosed) open.close();
      return open.closed.then(remove);
    }, remove);
    return lane;
  }

  #leave(lane: Lane): void {
    lane.open -= 1;
    this.#wake();
  }

  #room(ends: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.#waiting.delete(wake);
        ends.removeEventListener('abort', wake);
        resolve();
      };
      this.#waiting.add(wake);
      ends.addEventListener('abort', wake, { once: true });
    });
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake();
  }
}

/** A server with too many log-ins under way drops some before the first word. */
async function connectPatiently(connect: PoolOptions['connect']): Promise<SshConnection> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await connect();
    } catch (cause) {
      if (!wasDropped(cause) || attempt === CONNECT_ATTEMPTS) throw cause;
    }
    await sleep(attempt * DROPPED_PAUSE_MS);
  }
}

function noRoom(connections: number): SandboxError {
  const message = `open an ssh session: all ${connections} connections are full for ${LONGEST_WAIT_MS / 1000} s; set connections higher, or run fewer sandboxes at once`;
  return new SandboxError('CAPACITY', 'provider', message, { retryable: true });
}

function noSession(): SandboxError {
  const message = `open an ssh session: the server gives none (MaxSessions 0, or reason ${CHANNEL_REASON.connectFailed})`;
  return new SandboxError('UNSUPPORTED', 'provider', message);
}

function closed(): SandboxError {
  return new SandboxError('TRANSPORT', 'provider', 'open an ssh session: the provider was closed');
}
