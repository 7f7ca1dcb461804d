import type { JsonObject } from './json.ts';

/** One moment on both clocks. wallMs: UTC since the epoch, for people and joins. monoMs: never goes back; only differences within one process mean anything. */
export type Instant = Readonly<{ wallMs: number; monoMs: number }>;
export interface Clock {
  now(): Instant;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
export type IdMaker = (prefix: string) => string; // 'call' -> 'call_' + 24 hex
export interface Random {
  next(): number;
  fork(label: string): Random;
} // next: [0, 1). fork: same seed + same label = same numbers, whatever ran before
export interface Logger {
  log(level: 'debug' | 'info' | 'warn' | 'error', message: string, fields?: JsonObject): void;
} // never throws
export type Effects = Readonly<{ clock: Clock; newId: IdMaker; random: Random; logger: Logger }>;
/** Bounded concurrency, FIFO. Rejects only with work's own error, or CANCELLED when the signal fires while still waiting. */
export interface Limiter {
  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  stats(): Readonly<{ running: number; queued: number; longestWaitMs: number }>;
}
