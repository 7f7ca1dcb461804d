import type { ResolvedSettings } from './settings.ts';

/** Takes secrets out of a text that others wrote. */
export type Redact = (text: string) => string;

/** Shorter values are words that a sentence may hold by chance. */
const SHORTEST_SECRET = 6;

/** Servers repeat the key they refuse: it and the values of all headers are replaced. */
export function createRedact({ apiKey, headers }: ResolvedSettings): Redact {
  const given = [apiKey ?? '', ...Object.values(headers)].flatMap((value) => value.split(' '));
  const secrets = given.filter((value) => value.length >= SHORTEST_SECRET);
  // A secret that holds another one goes first.
  secrets.sort((one, other) => other.length - one.length);
  return (text) => secrets.reduce((left, secret) => left.replaceAll(secret, '[redacted]'), text);
}
