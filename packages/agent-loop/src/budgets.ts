import type { StopReason, Usage } from '@hermes/protocol';
import type { AgentLimits } from './options.ts';
import { addKnown, addUsage, totalTokens, zeroUsage } from './usage.ts';

/** What an agent has used, with its children, against what it may use. */
export interface Budget {
  /** Counts a call here and with all parents. */
  spend(usage: Usage, costUsd: number | null): void;
  /** Why no further model call may be made; null = there is something left. */
  exhausted(): StopReason | null;
  /** Output tokens that the next answer may have; null = no limit. */
  outputTokensLeft(): number | null;
  used(): Readonly<{ usage: Usage; costUsd: number | null }>;
}

/**
 * A limit counts what servers told. `onUnknown` is called once for each kind that a server did not
 * tell although there is a limit on it: such a call cannot be counted.
 */
export function createBudget(
  limits: AgentLimits,
  parent: Budget | null,
  onUnknown: (kind: 'tokens' | 'cost') => void,
): Budget {
  const reported = new Set<string>();
  const known = { total: 0, output: 0, costUsd: 0 };
  let usage = zeroUsage;
  let costUsd: number | null = 0;

  function count(kind: 'tokens' | 'cost', amount: number | null, limit: number | undefined) {
    if (amount !== null && Number.isFinite(amount)) return amount;
    if (limit !== undefined && !reported.has(kind)) {
      reported.add(kind);
      onUnknown(kind);
    }
    return 0;
  }

  return {
    spend(callUsage, callCostUsd) {
      usage = addUsage(usage, callUsage);
      costUsd = addKnown(costUsd, callCostUsd);
      known.total += count('tokens', totalTokens(callUsage), limits.maxTotalTokens);
      known.output += count('tokens', callUsage.outputTokens, limits.maxOutputTokens);
      known.costUsd += count('cost', callCostUsd, limits.maxCostUsd);
      parent?.spend(callUsage, callCostUsd);
    },
    exhausted() {
      if (reached(known.total, limits.maxTotalTokens)) return 'max_tokens';
      if (reached(known.output, limits.maxOutputTokens)) return 'max_tokens';
      if (reached(known.costUsd, limits.maxCostUsd)) return 'max_cost';
      return parent?.exhausted() ?? null;
    },
    outputTokensLeft() {
      const { maxOutputTokens = Number.POSITIVE_INFINITY } = limits;
      const left = Number.isFinite(maxOutputTokens) ? maxOutputTokens - known.output : null;
      return smallest(left, parent?.outputTokensLeft() ?? null);
    },
    used: () => ({ usage, costUsd }),
  };
}

function reached(used: number, limit: number | undefined): boolean {
  return limit !== undefined && used >= limit;
}

/** The smaller of two bounds, where null bounds nothing. */
export function smallest(left: number | null, right: number | null): number | null {
  if (left === null || right === null) return left ?? right;
  return Math.min(left, right);
}
