import type { TokenSegment } from '@hermes/protocol';

/** A segment as trainers take it. `response_ids`, `response_mask` and `logprobs` have equal length. */
export type WireTokens = Readonly<{
  /** Before the first sampled token. */
  prompt_ids: readonly number[];
  response_ids: readonly number[];
  /** 1 = sampled, 0 = put between by tools and template. */
  response_mask: readonly (0 | 1)[];
  /** 0 where the mask is 0. */
  logprobs: readonly number[];
  weight_versions: readonly string[];
}>;

/** Mask of a token that was not sampled. */
const CONTEXT = -100;

/** Splits a segment at its first sampled token; where none was sampled, all of it is prompt. */
export function wireTokens({ ids, mask, logprobs, weightVersions }: TokenSegment): WireTokens {
  const first = mask.findIndex((label) => label !== CONTEXT);
  const start = first === -1 ? ids.length : first;
  const responseMask = mask.slice(start).map((label) => (label === CONTEXT ? 0 : 1));
  return {
    prompt_ids: ids.slice(0, start),
    response_ids: ids.slice(start),
    response_mask: responseMask,
    logprobs: logprobs.slice(start).map((value, index) => (responseMask[index] === 1 ? value : 0)),
    weight_versions: weightVersions,
  };
}
