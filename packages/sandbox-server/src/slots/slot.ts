import { messageOf } from '../_message-of.ts';
import { Refusal } from '../http/refusal.ts';
import { Executions } from './executions.ts';
import { copyWorkspace, type Lease, type LeaseParts, openLease, WORKSPACE } from './lease.ts';

export type SlotParts = LeaseParts & Readonly<{ runId: string; newId: (prefix: string) => string }>;

/** What a slot is doing. error: its sandbox was lost or could not be removed; a reset that succeeds mends it. */
export type SlotState = 'available' | 'executing' | 'error';

/** Needs of one piece of work. allowNetwork null: it does not matter. */
export type Work<T> = Readonly<{
  executionId: string;
  allowNetwork: boolean | null;
  run: (lease: Lease, signal: AbortSignal) => Promise<T>;
}>;

/** One place for one trajectory: a sandbox that is made when it is needed, one piece of work at a time, and a reset that ends all of it. */
export class Slot {
  readonly id: string;
  /** Of this period: a reset forgets them. */
  readonly executions: Executions = new Executions();
  readonly #parts: SlotParts;
  #lease: Lease | null = null;
  #period = new AbortController();
  #turn: Promise<unknown> = Promise.resolve();
  #current: string | null = null;
  #fault: string | null = null;

  constructor(id: string, parts: SlotParts) {
    this.id = id;
    this.#parts = parts;
  }

  get state(): SlotState {
    if (this.#fault !== null || this.#lease?.sandbox.gone.aborted) return 'error';
    return this.#current === null ? 'available' : 'executing';
  }

  get currentExecutionId(): string | null {
    return this.#current;
  }

  get workspaceDir(): string {
    const { capabilities } = this.#parts;
    return this.#lease?.sandbox.info.workdir ?? (capabilities.absolutePaths ? WORKSPACE : '.');
  }

  /** Does the work when everything before it is done. Throws a Refusal (409) when the slot is reset meanwhile. */
  run<T>(work: Work<T>): Promise<T> {
    const { signal } = this.#period;
    const result = this.#turn.then(() => this.#perform(work, signal));
    this.#turn = result.catch(() => undefined); // whoever asked is told; the next one goes on
    return result;
  }

  async #perform<T>(work: Work<T>, signal: AbortSignal): Promise<T> {
    if (signal.aborted) throw wasReset(this.id);
    this.#current = work.executionId;
    try {
      const lease = await this.#leaseFor(work.allowNetwork, signal);
      return await work.run(lease, signal);
    } catch (error) {
      throw signal.aborted ? wasReset(this.id) : error;
    } finally {
      this.#current = null;
    }
  }

  async #leaseFor(allowNetwork: boolean | null, signal: AbortSignal): Promise<Lease> {
    if (this.#fault !== null) throw new Refusal(409, `${this.id}: ${this.#fault}; reset it`);
    const lease = this.#lease ?? (await this.#open(allowNetwork ?? true, signal));
    if (lease.sandbox.gone.aborted)
      throw new Refusal(409, `${this.id}: ${messageOf(lease.sandbox.gone.reason)}; reset it`);
    if (allowNetwork === null || allowNetwork !== lease.isNetworkIsolated) return lease;
    return lease.hasRun ? settled(this.id, lease) : this.#move(lease, allowNetwork, signal);
  }

  async #open(allowNetwork: boolean, signal: AbortSignal): Promise<Lease> {
    const { runId, newId } = this.#parts;
    const request = { slotId: this.id, key: newId('lease'), runId, allowNetwork, signal };
    const lease = await openLease(this.#parts, request);
    if (signal.aborted) {
      await lease.sandbox.dispose('reset');
      throw wasReset(this.id);
    }
    this.#lease = lease;
    return lease;
  }

  /** Before the first command a sandbox holds files alone, and its network can still be chosen. */
  async #move(from: Lease, allowNetwork: boolean, signal: AbortSignal): Promise<Lease> {
    const to = await this.#open(allowNetwork, signal);
    try {
      await copyWorkspace(from.sandbox, to.sandbox);
      return to;
    } catch (error) {
      this.#lease = from;
      await to.sandbox.dispose('not used');
      throw error;
    } finally {
      if (this.#lease === to) await from.sandbox.dispose('moved');
    }
  }

  /** Ends everything in it at once; the next work finds a new sandbox. Throws where the old one could not be removed: the slot stays out of service. */
  async reset(): Promise<void> {
    this.#period.abort();
    this.executions.clear();
    const ended = this.#turn;
    this.#period = new AbortController();
    this.#turn = ended.then(() => this.#clear());
    await this.#turn;
    if (this.#fault !== null) throw new Error(`${this.id}: ${this.#fault}`);
  }

  async #clear(): Promise<void> {
    const lease = this.#lease;
    try {
      await lease?.sandbox.dispose('reset');
      this.#lease = null;
      this.#fault = null;
    } catch (error) {
      this.#fault = `its sandbox could not be removed (${messageOf(error)})`;
    }
  }
}

/** Stricter than asked is fine and told; weaker is refused. */
function settled(slotId: string, lease: Lease): Lease {
  if (lease.isNetworkIsolated) return lease;
  throw new Refusal(
    409,
    `${slotId}: allow_network=false cannot be kept: commands with a network ran in it; reset it first`,
  );
}

function wasReset(slotId: string): Refusal {
  return new Refusal(409, `${slotId} was reset`);
}
