import type { JsonObject } from './json.ts';

/** One moment on both clocks. */
export type Instant = Readonly<{
  /** Milliseconds UTC since the epoch, for people and for joins with other systems. */
  wallMs: number;
  /** Milliseconds that never go back; only differences within one process mean anything. */
  monoMs: number;
}>;

/** The only source of time. */
export interface Clock {
  now(): Instant;
  /** Resolves after `ms`; rejects with code `CANCELLED` as soon as the signal fires. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Makes a fresh id: `'call'` gives `'call_'` and 24 hexadecimal digits. */
export type IdMaker = (prefix: string) => string;

/** The only source of chance. */
export interface Random {
  /** A number in [0, 1). */
  next(): number;
  /** A generator of its own: same seed and label give the same numbers, whatever was drawn before. */
  fork(label: string): Random;
}

/** Where notes for operators go. Never throws. */
export interface Logger {
  log(level: 'debug' | 'info' | 'warn' | 'error', message: string, fields?: JsonObject): void;
}

/** What a package must be given because it may not reach for it by itself. */
export type Effects = Readonly<{
  clock: Clock;
  newId: IdMaker;
  random: Random;
  logger: Logger;
}>;

/** Bounded concurrency, first in, first out. */
export interface Limiter {
  /** Rejects only with the work's own error, or with code `CANCELLED` when the signal fires while still waiting. */
  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  stats(): Readonly<{ running: number; queued: number; longestWaitMs: number }>;
}
