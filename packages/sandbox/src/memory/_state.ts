import type { Clock } from '@hermes/protocol';
import type { SandboxInfo, SandboxRef, SandboxSpec } from '../types.ts';
import { gone } from './_errors.ts';
import { createTree, type Tree } from './_tree.ts';

export type EndReason = 'destroyed' | 'lifetime' | 'idle';

/** One sandbox's whole life, shared by every handle on it. */
export type MemoryState = Readonly<{
  ref: SandboxRef;
  info: SandboxInfo;
  tree: Tree;
  clock: Clock;
  gone: AbortSignal;
  /** Ends the sandbox; the first reason stays. */
  end: (reason: EndReason) => void;
  endReason: () => EndReason | null;
  expiresAtMs: () => number;
  extend: (ms: number) => void;
  /** Starts the idle limit anew. */
  touch: () => void;
}>;

type StateOptions = Readonly<{
  ref: SandboxRef;
  info: SandboxInfo;
  spec: SandboxSpec;
  clock: Clock;
  onEnd: () => void;
}>;

/** Brings a sandbox to life: it ends itself when its lifetime or its idle limit passes. */
export function createState(options: StateOptions): MemoryState {
  const { ref, info, spec, clock } = options;
  const ending = new AbortController();
  let reason: EndReason | null = null;
  const end = (why: EndReason): void => {
    if (reason !== null) return;
    reason = why;
    options.onEnd();
    ending.abort(gone(ref.id, why));
  };
  const lifetime = createAlarm(clock, ending.signal, () => end('lifetime'));
  const idle = createAlarm(clock, ending.signal, () => end('idle'));
  const touch = (): void => {
    if (spec.idleMs !== undefined) idle.set(spec.idleMs);
  };
  lifetime.set(spec.lifetimeMs);
  touch();
  return {
    ref,
    info,
    clock,
    tree: createTree(info.workdir),
    gone: ending.signal,
    end,
    endReason: () => reason,
    expiresAtMs: lifetime.atMs,
    extend: (ms) => lifetime.set(lifetime.atMs() - clock.now().wallMs + ms),
    touch,
  };
}

type Alarm = Readonly<{ set: (ms: number) => void; atMs: () => number }>;

function createAlarm(clock: Clock, over: AbortSignal, ring: () => void): Alarm {
  let current = new AbortController();
  let atMs = Number.POSITIVE_INFINITY;
  const set = (ms: number): void => {
    current.abort();
    current = new AbortController();
    atMs = clock.now().wallMs + ms;
    const calledOff = AbortSignal.any([over, current.signal]);
    void clock.sleep(ms, calledOff).then(
      () => calledOff.aborted || ring(),
      () => undefined,
    );
  };
  return { set, atMs: () => atMs };
}
