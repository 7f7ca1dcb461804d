import { SandboxError } from '../types.ts';

/**
 * Checks that raw settings are an object with known keys only. Throws CONFIG that names an unknown key and the nearest
 * known one. Absent settings are an empty object.
 */
export function checkSettingNames(
  provider: string,
  raw: unknown,
  known: readonly string[],
): Readonly<Record<string, unknown>> {
  const settings = raw ?? {};
  if (typeof settings !== 'object' || Array.isArray(settings))
    throw settingsError(provider, 'settings must be an object');
  const unknown = Object.keys(settings).find((key) => !known.includes(key));
  if (unknown === undefined) return settings as Readonly<Record<string, unknown>>;
  const hint = `Did you mean '${nearest(unknown, known)}'? Known: ${known.join(', ')}`;
  throw settingsError(provider, `unknown setting '${unknown}'. ${hint}`);
}

/** The error for wrong settings of a provider. */
export function settingsError(provider: string, what: string): SandboxError {
  return new SandboxError('CONFIG', 'provider', `sandbox ${provider}: ${what}`);
}

function nearest(word: string, candidates: readonly string[]): string {
  const distances = candidates.map((candidate) => ({
    candidate,
    distance: editDistance(word.toLowerCase(), candidate.toLowerCase()),
  }));
  return distances.sort((a, b) => a.distance - b.distance)[0]?.candidate ?? '';
}

function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [i, leftChar] of [...left].entries()) {
    const next = [i + 1];
    for (const [j, rightChar] of [...right].entries()) {
      const substitute = (row[j] ?? 0) + (leftChar === rightChar ? 0 : 1);
      next.push(Math.min(substitute, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
