import type { TokenFinish, TokenOutput } from '@hermes/protocol';
import type { TokenPiece } from './engine-dialect.ts';

/** Puts streamed tokens together, choice by choice. */
export interface GrowingOutputs {
  /** New tokens of a choice. `finishOf` is told the last id so far; null = it goes on. */
  add(
    choice: number,
    ids: readonly number[],
    logprobs: readonly number[],
    finishOf: (lastId: number | undefined) => TokenFinish | null,
    weightVersion?: string | null,
  ): readonly TokenPiece[];
  /** null = some choice did not end. */
  finish(): readonly TokenOutput[] | null;
}

type Growing = {
  readonly ids: number[];
  readonly logprobs: number[];
  finish: TokenFinish | null;
  weightVersion: string | null;
};

/** For so many choices. */
export function growingOutputs(n: number): GrowingOutputs {
  const outputs: readonly Growing[] = Array.from({ length: n }, () => ({
    ids: [],
    logprobs: [],
    finish: null,
    weightVersion: null,
  }));
  return {
    add(choice, ids, logprobs, finishOf, weightVersion = null) {
      const output = outputs[choice];
      if (output === undefined) return [];
      output.ids.push(...ids);
      output.logprobs.push(...logprobs);
      output.finish = finishOf(output.ids.at(-1)) ?? output.finish;
      output.weightVersion = weightVersion ?? output.weightVersion;
      return ids.length === 0 ? [] : [{ choice, ids, logprobs }];
    },
    finish() {
      const whole = outputs.flatMap(({ finish, ...rest }) => (finish ? [{ ...rest, finish }] : []));
      return whole.length === n ? whole : null;
    },
  };
}
