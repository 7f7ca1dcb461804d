import { createHash, createHmac } from 'node:crypto';
import { fitsPatterns } from './wildcard.ts';

/** One line of a known_hosts file. */
export type KnownHost = Readonly<{
  /** What the key is: the host's own, one that is never to be trusted, or that of an authority which signs hosts' certificates. */
  mark: 'own' | 'revoked' | 'authority';
  /** Names with wildcards, some negated by `!`, or one hashed name. */
  patterns: readonly string[];
  type: string;
  /** The key in base64. */
  key: string;
}>;

/**
 * What the files say of a host's key. `changed`: they know the host, but not with this key; `certified`: they know only an authority
 * for it.
 */
export type HostKeyVerdict = 'known' | 'unknown' | 'changed' | 'revoked' | 'certified';

const MARKS: Readonly<Record<string, KnownHost['mark']>> = {
  '@revoked': 'revoked',
  '@cert-authority': 'authority',
};

/** Reads known_hosts lines; what is no such line is left out. */
export function parseKnownHosts(text: string): readonly KnownHost[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const words = line.trim().split(/\s+/);
    const marker = words[0]?.startsWith('@') ? words.shift() : undefined;
    const mark = marker === undefined ? 'own' : MARKS[marker];
    const [names = '', type, key] = words;
    if (names.startsWith('#') || type === undefined || key === undefined || mark === undefined)
      return [];
    return [{ mark, patterns: names.split(','), type, key }];
  });
}

/** Judges the key that a host of this name shows. A revoked key is refused wherever it is seen under a name that matches. */
export function judgeHostKey(
  lines: readonly KnownHost[],
  name: string,
  key: Buffer,
): HostKeyVerdict {
  const shown = key.toString('base64');
  const marked = (mark: KnownHost['mark']) =>
    lines.filter((line) => line.mark === mark && matchesName(line, name));
  if (marked('revoked').some((line) => line.key === shown)) return 'revoked';
  const trusted = marked('own');
  if (trusted.some((line) => line.key === shown)) return 'known';
  if (trusted.length > 0) return 'changed';
  return marked('authority').length > 0 ? 'certified' : 'unknown';
}

/** The types of key that the files have for a host: it is asked for one of these, else another of its keys would seem changed. */
export function knownKeyTypes(lines: readonly KnownHost[], name: string): readonly string[] {
  const own = lines.filter((line) => line.mark === 'own' && matchesName(line, name));
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
export function knownHostLine(name: string, key: Buffer): string {
  return `${name} ${keyType(key)} ${key.toString('base64')}\n`;
}

function matchesName({ patterns }: KnownHost, name: string): boolean {
  const [first = ''] = patterns;
  return first.startsWith('|1|') ? matchesHash(first, name) : fitsPatterns(patterns, name);
}

function matchesHash(pattern: string, name: string): boolean {
  const [, , salt = '', hash = ''] = pattern.split('|');
  const own = createHmac('sha1', Buffer.from(salt, 'base64')).update(name).digest('base64');
  return own === hash;
}
