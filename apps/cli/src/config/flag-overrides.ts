import type { ConfigOverride } from '@hermes/env-core';
import type { JsonValue } from '@hermes/protocol';
import { type FlagGroup, type FlagSpec, givenOf, longName } from './flag-spec.ts';

/** Flags that are another name for a key, as values of that key. Those of section `openai` hold for every server. */
export function flagOverrides(
  groups: readonly FlagGroup[],
  given: object,
  from: string,
): readonly ConfigOverride[] {
  return groups.flatMap(({ flags }) => flags.flatMap((spec) => overrideOf(spec, given, from)));
}

function overrideOf(spec: FlagSpec, given: object, from: string): readonly ConfigOverride[] {
  const value = givenOf(spec, given);
  if (spec.key === undefined || value === undefined) return [];
  const [section = '', key = ''] = spec.key.split('.');
  const made = spec.toValue === undefined ? value : spec.toValue(value as never, from);
  const flag = longName(spec);
  return [{ section, key, value: made as JsonValue, flag, each: section === 'openai' }];
}
