/** Whether a name fits a pattern of `*` and `?`, whatever the case of either. */
export function fitsWildcard(pattern: string, name: string): boolean {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, 'i').test(name);
}

/** Whether a name fits one of the patterns, and none that is negated by `!`. */
export function fitsPatterns(patterns: readonly string[], name: string): boolean {
  const negated = patterns.filter((one) => one.startsWith('!')).map((one) => one.slice(1));
  if (negated.some((one) => fitsWildcard(one, name))) return false;
  return patterns.some((one) => !one.startsWith('!') && fitsWildcard(one, name));
}
