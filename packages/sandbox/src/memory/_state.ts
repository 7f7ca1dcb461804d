import type { Clock } from '@hermes/protocol';
import { Activity } from '../core/activity.ts';
import { goneError } from '../core/errors.ts';
import { watchLifetime } from '../core/lifetime.ts';
import type { SandboxInfo, SandboxRef, SandboxSpec } from '../types.ts';
import { createTree, type Tree } from './_tree.ts';

type EndReason = 'destroyed' | 'lifetime' | 'idle';

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
  /** Work on a living sandbox: throws SANDBOX_GONE when it is no more, and counts as use until it has settled. */
  during: <Value>(work: () => Promise<Value>) => Promise<Value>;
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
  const activity = new Activity(clock);
  let expiresAtMonoMs = clock.now().monoMs + spec.lifetimeMs;
  let reason: EndReason | null = null;
  const end = (why: EndReason): void => {
    if (reason !== null) return;
    reason = why;
    options.onEnd();
    ending.abort(goneError(`use sandbox ${ref.id}: it is gone (${why}); create another one`));
  };
  const watch = () =>
    watchLifetime({
      clock,
      activity,
      expiresAtMonoMs: () => expiresAtMonoMs,
      idleMs: spec.idleMs,
      signal: ending.signal,
      onEnd: end,
    });
  void watch();
  return {
    ref,
    info,
    clock,
    tree: createTree(info.workdir),
    gone: ending.signal,
    end,
    endReason: () => reason,
    expiresAtMs: () => clock.now().wallMs + expiresAtMonoMs - clock.now().monoMs,
    extend: (ms) => {
      expiresAtMonoMs += ms;
    },
    during: async (work) => {
      ending.signal.throwIfAborted();
      return activity.during(work);
    },
  };
}
