import type { Effects, IdMaker, Logger, Random } from '../effects.ts';
import type { JsonObject } from '../json.ts';
import { type FakeClock, fakeClock } from './fake-clock.ts';

/** One line that was logged. */
export type LogEntry = Readonly<{
  level: Parameters<Logger['log']>[0];
  message: string;
  fields: JsonObject | undefined;
}>;

/** A logger that remembers. */
export interface MemoryLogger extends Logger {
  readonly entries: readonly LogEntry[];
}

/** Effects that a test controls. */
export type TestEffects = Effects & Readonly<{ clock: FakeClock; logger: MemoryLogger }>;

/** Options of `testEffects`. */
export type TestEffectsOptions = Readonly<{
  /** Default: a manual clock that starts at 0. */
  clock?: FakeClock;
  /** Default 1. */
  seed?: number;
}>;

/** A manual clock, counted ids, seeded chance and a logger that remembers. */
export function testEffects(options: TestEffectsOptions = {}): TestEffects {
  return {
    clock: options.clock ?? fakeClock(),
    newId: countingIds(),
    random: seededRandom(options.seed ?? 1),
    logger: memoryLogger(),
  };
}

/** Ids in the shape of real ones, counted over all prefixes: `call_000000000000000000000001`. */
export function countingIds(): IdMaker {
  let made = 0;
  return (prefix) => {
    made += 1;
    return `${prefix}_${made.toString(16).padStart(24, '0')}`;
  };
}

/** Numbers that depend on the seed and nothing else. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return {
    next() {
      state = (state + 0x6d2b79f5) >>> 0;
      return mix(state) / 2 ** 32;
    },
    fork: (label) => seededRandom(hash(`${seed >>> 0}:${label}`)),
  };
}

/** A logger that keeps what it is given. */
export function memoryLogger(): MemoryLogger {
  const entries: LogEntry[] = [];
  return {
    entries,
    log(level, message, fields) {
      entries.push({ level, message, fields });
    },
  };
}

function mix(state: number): number {
  let value = Math.imul(state ^ (state >>> 15), state | 1);
  value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
  return (value ^ (value >>> 14)) >>> 0;
}

function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return mix(value >>> 0);
}
