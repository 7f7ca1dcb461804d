import type { Machine } from '../machine.ts';
import { MarkerSet } from '../markers.ts';

/** Calls as JSON objects in plain text, one after the other. */
export interface CallRunGrammar {
  /** Markers that may announce a run. */
  readonly tags: readonly string[];
  /** Markers that may close one. */
  readonly closers: readonly string[];
  /** Tokens that a broken call never goes beyond. */
  readonly endOfTurn: readonly string[];
}

/** What the readers of one text know together. */
export interface RunState {
  /** Whether the text stands in a Markdown code fence. */
  isInFence: boolean;
  /** Offsets of braces that were still open where an object around them broke. */
  readonly broken: Set<number>;
}

/** A grammar with its markers sorted. */
export interface CompiledCallRun {
  readonly closers: MarkerSet;
  readonly tags: MarkerSet;
  readonly stops: MarkerSet;
  readonly states: WeakMap<Machine, RunState>;
}

/** Sorts the markers once; every reader shares them. */
export function compileCallRun({ tags, closers, endOfTurn }: CallRunGrammar): CompiledCallRun {
  return {
    closers: new MarkerSet(closers),
    tags: new MarkerSet(tags),
    stops: new MarkerSet([...closers, ...tags, ...endOfTurn]),
    states: new WeakMap(),
  };
}

/** What is known in the text of this machine. */
export function stateOf({ states }: CompiledCallRun, machine: Machine): RunState {
  const known = states.get(machine);
  if (known !== undefined) return known;
  const state: RunState = { isInFence: false, broken: new Set() };
  states.set(machine, state);
  return state;
}
