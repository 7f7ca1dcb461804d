import type { OpenBlock } from '../format.ts';
import { MarkerSet } from '../markers.ts';

/** A list of Python calls, `[f(a=1), g()]`. */
export interface PythonListGrammar {
  /** Closing markers behind the list; none for a bare list. */
  readonly closers: readonly string[];
  /** Markers before which a broken list ends. Default none. */
  readonly openers?: readonly string[];
  /** Calls follow each other line by line, without brackets. Default false. */
  readonly isLines?: boolean;
}

/** A grammar with its markers sorted. */
export interface CompiledPythonList {
  readonly closers: MarkerSet;
  /** No closing marker: the list ends with its bracket. */
  readonly isOpenEnded: boolean;
  readonly all: MarkerSet;
  readonly lineEnds: MarkerSet;
  readonly isLines: boolean;
  readonly isBare: boolean;
  /** Reads JSON in place of Python. */
  readonly json: OpenBlock;
}

/** Sorts the markers once; `json` reads a body that is JSON. */
export function compilePythonList(
  grammar: PythonListGrammar,
  json: OpenBlock,
  isBare: boolean,
): CompiledPythonList {
  const { closers, openers = [], isLines = false } = grammar;
  const stops = [...closers, ...openers];
  const lineEnds = new MarkerSet(['\n', ...stops]);
  return {
    closers: new MarkerSet(closers),
    isOpenEnded: closers.length === 0,
    all: new MarkerSet(stops),
    lineEnds,
    isLines,
    isBare,
    json,
  };
}
