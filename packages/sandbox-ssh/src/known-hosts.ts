import { createHash, createHmac } from 'node:crypto';
import { hostName } from './hop.ts';

/** One line of a known_hosts file. */
export type KnownHost = Readonly<{
  isRevoked: boolean;
  /** Names with wildcards, some negated by `!`, or one hashed name. */
  patterns: readonly string[];
  type: string;
  /** The key in base64. */
  key: string;
}>;

/** What the files say of a host's key. `changed`: they know the host, but not with this key. */
export type HostKeyVerdict = 'known' | 'unknown' | 'changed' | 'revoked';

/** Reads known_hosts lines. Lines of certificate authorities, and what is no such line, are left out. */
export function parseKnownHosts(text: string): readonly KnownHost[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const words = line.trim().split(/\s+/);
    const marker = words[0]?.startsWith('@') ? words.shift() : undefined;
    const [names = '', type, key] = words;
    const isUsable = marker === undefined || marker === '@revoked';
    if (names.startsWith('#') || type === undefined || key === undefined || !isUsable) return [];
    return [{ isRevoked: marker !== undefined, patterns: names.split(','), type, key }];
  });
}

/** Judges the key that a host shows. A revoked key is refused wherever it is seen under a name that matches. */
export function judgeHostKey(
  lines: readonly KnownHost[],
  { host, port }: Readonly<{ host: string; port: number }>,
  key: Buffer,
): HostKeyVerdict {
  const shown = key.toString('base64');
  const own = lines.filter((line) => matchesHost(line, host, port));
  if (own.some((line) => line.isRevoked && line.key === shown)) return 'revoked';
  const trusted = own.filter((line) => !line.isRevoked);
  if (trusted.some((line) => line.key === shown)) return 'known';
  return trusted.length > 0 ? 'changed' : 'unknown';
}

/** The types of key that the files have for a host: it is asked for one of these, else another of its keys would seem changed. */
export function knownKeyTypes(
  lines: readonly KnownHost[],
  { host, port }: Readonly<{ host: string; port: number }>,
): readonly string[] {
  const own = lines.filter((line) => !line.isRevoked && matchesHost(line, host, port));
  return [...new Set(own.map(({ type }) => type))];
}

/** As OpenSSH shows it. */
export function fingerprint(key: Buffer): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;
}

/** The type that a key's bytes begin with. */
export function keyType(key: Buffer): string {
  const length = key.length < 4 ? 0 : key.readUInt32BE(0);
  return key.subarray(4, 4 + length).toString('latin1');
}

/** The line that makes this key known. */
export function knownHostLine(host: string, port: number, key: Buffer): string {
  return `${hostName(host, port).toLowerCase()} ${keyType(key)} ${key.toString('base64')}\n`;
}

function matchesHost({ patterns }: KnownHost, host: string, port: number): boolean {
  const name = hostName(host, port).toLowerCase();
  const negated = patterns.filter((one) => one.startsWith('!')).map((one) => one.slice(1));
  if (negated.some((one) => matchesPattern(one, name))) return false;
  return patterns.some((one) => !one.startsWith('!') && matchesPattern(one, name));
}

function matchesPattern(pattern: string, name: string): boolean {
  if (pattern.startsWith('|1|')) return matchesHash(pattern, name);
  const source = pattern
    .toLowerCase()
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`).test(name);
}

function matchesHash(pattern: string, name: string): boolean {
  const [, , salt = '', hash = ''] = pattern.split('|');
  const own = createHmac('sha1', Buffer.from(salt, 'base64')).update(name).digest('base64');
  return own === hash;
}
