import { nearestName } from '../nearest-name.ts';
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
  const near = nearestName(unknown, known);
  const hint = near === null ? '' : `Did you mean '${near}'? `;
  throw settingsError(provider, `unknown setting '${unknown}'. ${hint}Known: ${known.join(', ')}`);
}

/** The error for wrong settings of a provider. */
export function settingsError(provider: string, what: string): SandboxError {
  return new SandboxError('CONFIG', 'provider', `sandbox ${provider}: ${what}`);
}
