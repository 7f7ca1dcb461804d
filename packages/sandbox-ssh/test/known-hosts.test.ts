import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { knownName } from '../src/hop.ts';
import { fingerprint, judgeHostKey, knownKeyTypes, parseKnownHosts } from '../src/known-hosts.ts';

const key = Buffer.from(
  'AAAAC3NzaC1lZDI1NTE5AAAAIDB/9LRGTjJmBAOGlfjZDIBrBBOGWoMiDsTTzJ2eLTSK',
  'base64',
);
const own = `ssh-ed25519 ${key.toString('base64')}`;
const other = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
const rsa = 'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAAQ==';

function hashed(name: string): string {
  const salt = Buffer.from('0123456789abcdefghij');
  return `|1|${salt.toString('base64')}|${createHmac('sha1', salt).update(name).digest('base64')}`;
}

it.each([
  ['a host of the list', `host,alias ${own}`, 22, 'known'],
  ['a host in capitals', `HOST ${own}`, 22, 'known'],
  ['a comment after the key', `host ${own} me@here`, 22, 'known'],
  ['a wildcard', `h?s* ${own}`, 22, 'known'],
  ['another host', `hosts ${own}`, 22, 'unknown'],
  ['a dot that is no wildcard', `h.st ${own}`, 22, 'unknown'],
  ['a negated name', `*,!host ${own}`, 22, 'unknown'],
  ['a port', `[host]:2222 ${own}`, 2222, 'known'],
  ['another port', `[host]:2222 ${own}`, 22, 'unknown'],
  ['a line without port for another port', `host ${own}`, 2222, 'unknown'],
  ['a hashed name', `${hashed('host')} ${own}`, 22, 'known'],
  ['a hashed name with port', `${hashed('[host]:2222')} ${own}`, 2222, 'known'],
  ['another hashed name', `${hashed('hosts')} ${own}`, 22, 'unknown'],
  ['another key', `host ${other}`, 22, 'changed'],
  ['a hashed name with another key', `${hashed('host')} ${other}`, 22, 'changed'],
  ['a key of another type alone', `host ${rsa}`, 22, 'changed'],
  ['one of two keys', `host ${other}\nhost ${own}`, 22, 'known'],
  ['a revoked key', `@revoked * ${own}\nhost ${own}`, 22, 'revoked'],
  ['a key revoked for another host', `@revoked hosts ${own}\nhost ${own}`, 22, 'known'],
  ['a revoked key of a hashed host', `@revoked ${hashed('host')} ${own}`, 22, 'revoked'],
  ['another key is revoked', `@revoked * ${other}\nhost ${own}`, 22, 'known'],
  ['an authority', `@cert-authority * ${own}`, 22, 'certified'],
  ['an authority of another host', `@cert-authority hosts ${own}`, 22, 'unknown'],
  ['an authority and the own key', `@cert-authority * ${other}\nhost ${own}`, 22, 'known'],
  ['an authority and another key', `@cert-authority * ${own}\nhost ${other}`, 22, 'changed'],
  ['a mark that nobody knows', `@trusted host ${own}`, 22, 'unknown'],
  ['a comment', `# host ${own}`, 22, 'unknown'],
  ['an empty file', '\n\n', 22, 'unknown'],
  ['half a line', 'host ssh-ed25519', 22, 'unknown'],
])('judges a key by known hosts: %s', (_what, text, port, verdict) => {
  const name = knownName({ host: 'host', port });
  expect(judgeHostKey(parseKnownHosts(text), name, key)).toBe(verdict);
});

it('knows which types of key a host has, so that no other one is asked for first', () => {
  const lines = parseKnownHosts(`host ${rsa}\nhosts ${own}\n@revoked host ${own}\nhost ${rsa}`);
  expect(knownKeyTypes(lines, 'host')).toEqual(['ssh-rsa']);
});

it('shows a fingerprint as OpenSSH does', () => {
  expect(fingerprint(key)).toMatch(/^SHA256:[A-Za-z0-9+/]{43}$/);
});
