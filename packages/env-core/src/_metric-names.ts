/** Names without a family of their own get this one: `accuracy` becomes `eval/accuracy`. */
export function underPrefix(
  prefix: string,
  values: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  const named = ([name, value]: readonly [string, number]) =>
    [name.includes('/') ? name : `${prefix}/${name}`, value] as const;
  return Object.fromEntries(Object.entries(values).map(named));
}
