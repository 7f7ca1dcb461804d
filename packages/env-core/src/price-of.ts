import type { Usage } from '@hermes/protocol';
import { addKnown } from './_usage.ts';
import type { PriceTable } from './run-options.ts';

/** USD, or null where a price or a count is missing. Cached and cache-written tokens are priced apart; a server that names none has none. */
export function priceOf(
  usage: Usage,
  modelId: string,
  prices: PriceTable | undefined,
): number | null {
  const price = prices?.price(modelId) ?? null;
  if (price === null || usage.inputTokens === null || usage.outputTokens === null) return null;
  const cached = usage.cachedTokens ?? 0;
  const written = usage.cacheWriteTokens ?? 0;
  const fresh = usage.inputTokens - cached - written;
  const parts = [
    fresh * price.input,
    usage.outputTokens * price.output,
    costOf(cached, price.cached),
    costOf(written, price.cacheWrite),
  ];
  const perMillion = parts.reduce<number | null>(addKnown, 0);
  return perMillion === null ? null : perMillion / 1_000_000;
}

function costOf(tokens: number, price: number | null): number | null {
  if (tokens === 0) return 0;
  return price === null ? null : tokens * price;
}
