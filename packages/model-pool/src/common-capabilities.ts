import type { EngineCapabilities, ModelCapabilities } from '@hermes/protocol';

/** What every one of several models can do; no token ids, since their segments are no common ones. */
export function commonModelCapabilities(all: readonly ModelCapabilities[]): ModelCapabilities {
  return {
    tokenIds: false,
    images: all.every((each) => each.images),
    toolChoice: all.every((each) => each.toolChoice),
    streaming: all.every((each) => each.streaming),
    contextTokens: least(all.map((each) => each.contextTokens)),
  };
}

const ABORTS = ['none', 'connection', 'engine'] as const;

/** What every one of several engines can do; scores have no rollout, so no endpoint to go to. */
export function commonEngineCapabilities(all: readonly EngineCapabilities[]): EngineCapabilities {
  return {
    streaming: all.every((each) => each.streaming),
    abort: ABORTS.find((abort) => all.some((each) => each.abort === abort)) ?? 'none',
    score: false,
    vocabularySize: least(all.map((each) => each.vocabularySize)),
    contextTokens: least(all.map((each) => each.contextTokens)),
  };
}

/** The names of several, each once. */
export function joinNames(names: readonly string[]): string {
  return [...new Set(names)].join(', ');
}

/** null = one of them is not known. */
function least(values: readonly (number | null)[]): number | null {
  return values.reduce((least, value) =>
    least === null || value === null ? null : Math.min(least, value),
  );
}
