/** The shape of the network: a Qwen2 of one layer. The size of a head is one that vLLM's attention on CPU has. */
export const shape = {
  hidden: 512,
  intermediate: 128,
  heads: 8,
  keyValueHeads: 2,
  headSize: 64,
  context: 16_384,
  normEpsilon: 1e-6,
  ropeBase: 10_000,
} as const;

/**
 * What the places of the hidden state mean. The first ones are one-hot: the last token. The rest:
 * `one` is 1 always; `sawTools` and `sawResult` hold which share of the prompt is that tag; `mustCall`
 * (tools and no result yet) and `hasResult` are 0 or 1, times a factor, whatever the share.
 */
export const place = {
  tokens: 504,
  one: 504,
  sawTools: 505,
  sawResult: 506,
  mustCall: 507,
  hasResult: 508,
} as const;
