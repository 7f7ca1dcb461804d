import { setTimeout as sleep } from 'node:timers/promises';
import { SandboxError } from '@hermes/sandbox';
import { containerSize } from './container-size.ts';
import type { Engine } from './engine.ts';
import { DaemonDisk, type FreeDisk } from './free-disk.ts';
import type { ResolvedDockerSettings } from './settings.ts';

type Limits = Pick<ResolvedDockerSettings, 'maxDiskBytes' | 'minFreeBytes'>;

/** Whose files are measured. */
export type GuardedSandbox = Readonly<{
  ref: Readonly<{ id: string }>;
  /** What its own files may take; null: as the settings say. */
  maxDiskBytes: number | null;
}>;

/** One container's own files, and what they may take. */
type Taken = Readonly<{ id: string; bytes: number; maxBytes: number }>;

export type DiskGuardParts = Readonly<{
  engine: Engine;
  limits: Limits;
  /** Who is there now. */
  sandboxes: () => readonly GuardedSandbox[];
  /** Ends a sandbox for this reason. */
  evict: (id: string, why: string) => Promise<void>;
}>;

/** The way out of a full disk. */
export const MAKE_ROOM = 'make room (docker system df says what takes it)';

const PAUSE_MS = 3000;
const LONGEST_PAUSE_MS = 60_000;
const AT_ONCE = { belowBytes: Number.POSITIVE_INFINITY, atMs: 0 };
/** To measure takes the daemon time for every file; it shall not do much else. */
const PAUSE_PER_MEASURING = 20;

/**
 * Keeps sandboxes from filling the daemon's disk, which has no limit for one of them: looks again and again what each has written,
 * and ends the one that takes too much.
 */
export class DiskGuard {
  readonly #parts: DiskGuardParts;
  readonly #disk: DaemonDisk;
  readonly #closed = new AbortController();
  #watching: Promise<void> | null = null;
  /** When to measure again: at a time, or when the disk has less than that. */
  #due = { ...AT_ONCE };

  constructor(parts: DiskGuardParts) {
    this.#parts = parts;
    this.#disk = new DaemonDisk(parts.engine);
  }

  /** Why there is too little room for one more sandbox; null: there is enough, or it cannot be seen. */
  async lackOfRoom(): Promise<string | null> {
    const { minFreeBytes } = this.#parts.limits;
    const free = await this.#disk.free();
    return free === null || free.bytes >= minFreeBytes ? null : noRoom(free, minFreeBytes);
  }

  /** Throws CAPACITY when there is too little room for one more sandbox. */
  async checkRoom(): Promise<void> {
    const lack = await this.lackOfRoom();
    if (lack === null) return;
    const message = `create a sandbox: ${lack}; ${MAKE_ROOM}`;
    throw new SandboxError('CAPACITY', 'provider', message, { retryable: true });
  }

  /** Looks from now on, until nobody is there any more. What was planned says nothing about a newcomer with a limit of its own. */
  watch({ maxDiskBytes }: GuardedSandbox): void {
    if (maxDiskBytes !== null) this.#due = { ...AT_ONCE };
    this.#watching ??= this.#watch().finally(() => {
      this.#watching = null;
    });
  }

  close(): void {
    this.#closed.abort();
  }

  async #watch(): Promise<void> {
    let pauseMs = PAUSE_MS;
    this.#due = { ...AT_ONCE };
    for (;;) {
      await sleep(pauseMs, undefined, { ref: false });
      if (this.#closed.signal.aborted || this.#parts.sandboxes().length === 0) return;
      const start = performance.now();
      await this.#look();
      pauseMs = Math.max(PAUSE_MS, (performance.now() - start) * PAUSE_PER_MEASURING);
    }
  }

  async #look(): Promise<void> {
    const { limits, evict } = this.#parts;
    const free = await this.#disk.free();
    // Half of what a new one needs: those that are there may use the rest.
    const isFull = free !== null && free.bytes < limits.minFreeBytes / 2;
    if (!isFull && !this.#isDue(free)) return;
    const taken = await this.#measure();
    const [largest] = taken;
    if (largest === undefined) return;
    this.#plan(free, taken);
    for (const { id, bytes, maxBytes } of taken)
      if (bytes > maxBytes) await evict(id, tooMuch(bytes, maxBytes));
    if (isFull) await evict(largest.id, tookMost(free, limits.minFreeBytes, largest.bytes));
  }

  #isDue(free: FreeDisk | null): boolean {
    if (free === null || performance.now() > this.#due.atMs) return true;
    return free.bytes < this.#due.belowBytes;
  }

  /** Nobody takes too much before the disk has lost the least that one may still take; half of that, since others give back meanwhile. */
  #plan(free: FreeDisk | null, taken: readonly Taken[]): void {
    const leftBytes = Math.max(
      0,
      Math.min(...taken.map(({ bytes, maxBytes }) => maxBytes - bytes)),
    );
    const belowBytes = (free?.bytes ?? 0) - leftBytes / 2;
    this.#due = { belowBytes, atMs: performance.now() + LONGEST_PAUSE_MS };
  }

  /** The largest first. Without an answer nothing is known, and nobody ended. */
  async #measure(): Promise<readonly Taken[]> {
    const taken: Taken[] = [];
    const most = this.#parts.limits.maxDiskBytes;
    for (const { ref, maxDiskBytes } of this.#parts.sandboxes()) {
      const maxBytes = Math.min(maxDiskBytes ?? most, most);
      // Null: it has ended meanwhile, or the daemon has.
      const bytes = await containerSize(this.#parts.engine, ref.id, maxBytes).catch(() => null);
      if (bytes !== null) taken.push({ id: ref.id, bytes, maxBytes });
    }
    return taken.sort((a, b) => b.bytes - a.bytes);
  }
}

function noRoom({ bytes, folder }: FreeDisk, minFreeBytes: number): string {
  return `the disk of ${folder} has ${inMib(bytes)} left, and ${inMib(minFreeBytes)} are wanted (setting minFreeBytes)`;
}

function tooMuch(bytes: number, maxBytes: number): string {
  return `its files take ${inMib(bytes)} of the ${inMib(maxBytes)} it may`;
}

function tookMost(free: FreeDisk, minFreeBytes: number, bytes: number): string {
  return `${noRoom(free, minFreeBytes)}; it took the most, ${inMib(bytes)}`;
}

function inMib(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MiB`;
}
