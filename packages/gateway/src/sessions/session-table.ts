import type { GatewayEffects } from '../_effects.ts';
import { Refusal } from '../http/refusal.ts';
import type { GatewayBackend, SessionRequest } from '../types.ts';
import { Session } from './session.ts';

/** Ids of ended sessions that are remembered, so that a late call does not begin anew without its history. */
const REMEMBERED = 100_000;

export type SessionLimits = Readonly<{ idleMs: number; maxSessions: number }>;

/** All sessions of a gateway. Those that nobody uses end by themselves. */
export class SessionTable {
  readonly #limits: SessionLimits;
  readonly #effects: GatewayEffects;
  readonly #sessions = new Map<string, Promise<Session>>();
  readonly #ready = new Map<string, Session>();
  readonly #endedIds = new Set<string>();

  constructor(limits: SessionLimits, effects: GatewayEffects) {
    this.#limits = limits;
    this.#effects = effects;
  }

  get all(): readonly Session[] {
    return [...this.#ready.values()];
  }

  /** null = there is none. */
  find(id: string): Session | null {
    return this.#ready.get(id) ?? null;
  }

  /** Opens a session; throws a Refusal where its id is taken (409) or was ended (410), or the gateway is full (503). */
  async create(request: SessionRequest, backend: GatewayBackend): Promise<Session> {
    if (this.#sessions.has(request.sessionId))
      throw new Refusal(409, 'session_exists', `The session ${request.sessionId} exists.`);
    return this.openOrFind(request, backend);
  }

  /** Two first calls at once get the same session. */
  openOrFind(request: SessionRequest, backend: GatewayBackend): Promise<Session> {
    const { sessionId } = request;
    const known = this.#sessions.get(sessionId);
    if (known !== undefined) return known;
    this.#checkRoom(sessionId);
    const opening = this.#open(request, backend);
    this.#sessions.set(sessionId, opening);
    return opening;
  }

  /** False: there is no such session. */
  async end(id: string): Promise<boolean> {
    const session = await this.#sessions.get(id)?.catch(() => undefined);
    if (session === undefined || !this.#sessions.delete(id)) return false;
    this.#ready.delete(id);
    this.#remember(id);
    await session.end();
    return true;
  }

  async endAll(): Promise<void> {
    await Promise.all([...this.#sessions.keys()].map((id) => this.end(id)));
  }

  /** Ends what nobody used for too long. */
  async sweep(): Promise<void> {
    const idle = this.all.filter((session) => session.idleMs() >= this.#limits.idleMs);
    for (const { id } of idle)
      this.#effects.logger.log('info', `The session ${id} was not used and is ended.`);
    await Promise.all(idle.map(({ id }) => this.end(id)));
  }

  async #open(request: SessionRequest, backend: GatewayBackend): Promise<Session> {
    try {
      const model = await backend.open(request);
      const session = new Session(request, model, backend, this.#effects.clock);
      this.#ready.set(request.sessionId, session);
      return session;
    } catch (error) {
      this.#sessions.delete(request.sessionId);
      throw error;
    }
  }

  #checkRoom(id: string): void {
    if (this.#endedIds.has(id))
      throw new Refusal(
        410,
        'session_ended',
        `The session ${id} has ended: open one with a new id.`,
      );
    const { maxSessions } = this.#limits;
    if (this.#sessions.size < maxSessions) return;
    const advice = `end one (DELETE /ID) or wait`;
    throw new Refusal(503, 'too_many_sessions', `${maxSessions} sessions are open: ${advice}.`);
  }

  #remember(id: string): void {
    this.#endedIds.add(id);
    const [oldest] = this.#endedIds;
    if (this.#endedIds.size > REMEMBERED && oldest !== undefined) this.#endedIds.delete(oldest);
  }
}
