/** Mean, deviation, largest and smallest of some numbers under a name; nothing for none. */
export function spread(
  values: readonly number[],
  names: Readonly<Record<'mean' | 'std' | 'max' | 'min', string>>,
): Record<string, number> {
  if (values.length === 0) return {};
  const mean = meanOf(values);
  const variance = meanOf(values.map((value) => (value - mean) ** 2));
  return {
    [names.mean]: mean,
    [names.std]: Math.sqrt(variance),
    [names.max]: values.reduce((a, b) => Math.max(a, b)),
    [names.min]: values.reduce((a, b) => Math.min(a, b)),
  };
}

/** The mean of at least one number. */
export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
