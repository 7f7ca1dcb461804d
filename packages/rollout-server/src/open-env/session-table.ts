import type { Effects } from '@hermes/protocol';
import { Refusal } from '../http/refusal.ts';
import { type Peer, Session } from './session.ts';

export type SessionLimits = Readonly<{ maxSessions: number; idleMs: number; heartbeatMs: number }>;

/** All OpenEnv sessions. Those whose client is gone, and those that nobody uses, end by themselves. */
export class SessionTable {
  readonly #limits: SessionLimits;
  readonly #effects: Effects;
  readonly #sessions = new Map<string, Session>();
  readonly #ending = new Set<Promise<void>>();

  constructor(limits: SessionLimits, effects: Effects) {
    this.#limits = limits;
    this.#effects = effects;
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** Throws a Refusal where there is none of that id. */
  find(id: string): Session {
    const session = this.#sessions.get(id);
    if (session !== undefined) return session;
    throw new Refusal(409, 'SESSION_ERROR', `There is no episode ${id}: reset first.`);
  }

  /** Opens a session; another of the same id is ended. Throws a Refusal when the table is full. */
  open(id: string, peer: Peer | null): Session {
    const before = this.#sessions.get(id);
    const { maxSessions } = this.#limits;
    if (before === undefined && this.size >= maxSessions) throw full(maxSessions);
    const session = new Session(id, peer, this.#effects.clock);
    this.#sessions.set(id, session);
    if (before !== undefined) this.endLater(before, 'another one began under its name');
    return session;
  }

  /** Frees the place at once, then waits for the end of what ran in it. */
  end(session: Session, reason: string): Promise<void> {
    if (this.#sessions.get(session.id) === session) this.#sessions.delete(session.id);
    const ending = session.end(reason).finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
    return ending;
  }

  /** As `end`, without waiting: one end that takes long must not hold up others. */
  endLater(session: Session, reason: string): void {
    this.end(session, reason).catch((error: unknown) => {
      this.#effects.logger.log('error', `Ending a session failed: ${String(error)}`);
    });
  }

  /** Waits for those as well that were ended before. */
  async endAll(): Promise<void> {
    for (const session of this.#sessions.values()) this.endLater(session, 'the server is closing');
    await Promise.allSettled(this.#ending);
  }

  /** Looks after the sessions at every heartbeat until the signal fires. */
  async keepSweeping(signal: AbortSignal): Promise<void> {
    const { clock } = this.#effects;
    while (!signal.aborted) {
      await clock.sleep(this.#limits.heartbeatMs, signal).catch(() => undefined);
      if (!signal.aborted) this.#sweep();
    }
  }

  #sweep(): void {
    for (const session of this.#sessions.values()) {
      const reason = this.#reasonToEnd(session);
      if (reason === null) continue;
      this.#effects.logger.log('info', `The session ${session.id} was ended: ${reason}.`);
      this.endLater(session, reason);
    }
  }

  #reasonToEnd(session: Session): string | null {
    if (session.peer?.isGone()) return 'its client answers no heartbeat';
    return session.idleMs() >= this.#limits.idleMs ? 'nobody used it' : null;
  }
}

function full(maxSessions: number): Refusal {
  const message = `${maxSessions} sessions are open: close one or wait.`;
  return new Refusal(503, 'CAPACITY_REACHED', message);
}
