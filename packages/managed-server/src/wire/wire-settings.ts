/** Where an engine is. */
export type WireSettings = Readonly<{
  /** With or without the `/v1` at its end. */
  baseUrl: string;
  apiKey: string | null;
  headers: Readonly<Record<string, string>>;
}>;

/** The root of a server: one `/v1` at the end is taken off, and nothing else. */
export function rootUrl(baseUrl: string): string {
  return baseUrl.replace(/\/+$/, '').replace(/\/v1$/, '');
}

/** Takes the secrets of the settings out of the words of a server: some repeat the key that they refuse. */
export function redacted({ apiKey, headers }: WireSettings, text: string): string {
  const secrets = [apiKey ?? '', ...Object.values(headers)].filter(isLong);
  return secrets.reduce((left, secret) => left.replaceAll(secret, '[redacted]'), text);
}

/** Shorter values are words that a sentence may hold by chance. */
function isLong(secret: string): boolean {
  return secret.length >= 6;
}
