import { ModelError } from '@hermes/protocol';
import type { LlamaContext } from 'node-llama-cpp';

type Sample = (...input: unknown[]) => Promise<unknown>;
/** Of node-llama-cpp's own parts the one that samples; it has no public name. */
type Inner = { readonly _ctx?: { sampleToken?: Sample } };

/**
 * Lets the sequences of a context sample one after the other. node-llama-cpp samples all of a batch
 * at once, each on a thread of its own. The first reader of the logits has llama.cpp swap their rows
 * into the order of the batch, in place and without a lock: two first readers swap twice, and each
 * sequence gets a token of another one's distribution.
 */
export function sampleInTurn(context: LlamaContext): void {
  const { _ctx: inner } = context as Inner;
  const sample = inner?.sampleToken;
  if (inner === undefined || sample === undefined)
    throw new ModelError(
      'CONFIG',
      'This version of node-llama-cpp is not known: its sequences cannot be kept from sampling at the same time. Install one of 3.21.',
    );
  let last: Promise<unknown> = Promise.resolve();
  const inTurn: Sample = (...input) => {
    const next = last.then(() => sample.apply(inner, input));
    last = next.catch(() => undefined);
    return next;
  };
  Object.defineProperty(inner, 'sampleToken', { value: inTurn });
}
