import type { RolloutRecord } from '@hermes/protocol';

/** The share of passed trials among the scored ones for each category that items are tagged with, as `pass_rate_software_engineering`. */
export function categoryRates(records: readonly RolloutRecord[]): Record<string, number> {
  const byCategory = new Map<string, boolean[]>();
  for (const record of records) {
    const { category } = record.tags;
    if (category === undefined || record.status !== 'completed') continue;
    byCategory.set(category, [...(byCategory.get(category) ?? []), record.reward.resolved]);
  }
  const rates = [...byCategory].map(([category, outcomes]) => {
    const passed = outcomes.filter(Boolean).length;
    return [`pass_rate_${wordOf(category)}`, passed / outcomes.length] as const;
  });
  return Object.fromEntries(rates);
}

function wordOf(category: string): string {
  return category.toLowerCase().replaceAll(/[\s-]+/g, '_');
}
