import { readFile } from 'node:fs/promises';
import { settingsError } from '@hermes/sandbox/host';
import ssh2, { type AnyAuthMethod, type ParsedKey } from 'ssh2';
import type { Hop } from './hop.ts';

/** One way to log in, with the words for it. */
export type AuthMethod = Readonly<{ words: string; method: AnyAuthMethod }>;

/** What is tried, in this order: the named key, the agent, keys that lie where people keep them, the password. Throws CONFIG for a named key that cannot be used. */
export async function authMethods(hop: Hop): Promise<readonly AuthMethod[]> {
  const { user: username, agent, password } = hop;
  const keys = hop.key === undefined ? await usableKeys(hop) : [];
  return [
    ...(hop.key === undefined
      ? []
      : [keyMethod(username, hop.key, await namedKey(hop.key, hop.passphrase))]),
    ...(agent === undefined
      ? []
      : [{ words: 'the keys of the agent', method: { type: 'agent', username, agent } } as const]),
    ...keys.map(({ path, key }) => keyMethod(username, path, key)),
    ...(password === undefined ? [] : passwordMethods(username, password)),
  ];
}

function keyMethod(username: string, path: string, key: ParsedKey): AuthMethod {
  return { words: `the key ${path}`, method: { type: 'publickey', username, key } };
}

/** A server may ask for the password in either way. */
function passwordMethods(username: string, password: string): AuthMethod[] {
  const prompt = (
    _name: string,
    _instructions: string,
    _language: string,
    prompts: readonly unknown[],
    finish: (answers: string[]) => void,
  ) => finish(prompts.map(() => password));
  return [
    { words: 'the password', method: { type: 'password', username, password } },
    {
      words: 'the password when asked for it',
      method: { type: 'keyboard-interactive', username, prompt },
    },
  ];
}

async function namedKey(path: string, passphrase: string | undefined): Promise<ParsedKey> {
  const content = await readFile(path).catch((cause) => {
    throw settingsError('ssh', `the key ${path} cannot be read: ${cause.message}`);
  });
  const key = parseKey(content, passphrase);
  if (!(key instanceof Error)) return key;
  const fix = /encrypted/i.test(key.message) ? '; set passphrase' : '';
  throw settingsError('ssh', `the key ${path} cannot be used: ${key.message}${fix}`);
}

async function usableKeys({ identityFiles, passphrase }: Hop) {
  const found = identityFiles.map(async (path) => {
    const content = await readFile(path).catch(() => null);
    const key = content === null ? null : parseKey(content, passphrase);
    // Nobody named it for this: one that is encrypted, say, is for somebody else.
    return key === null || key instanceof Error ? [] : [{ path, key }];
  });
  return (await Promise.all(found)).flat();
}

function parseKey(content: Buffer, passphrase: string | undefined): ParsedKey | Error {
  const parsed = ssh2.utils.parseKey(content, passphrase) as ParsedKey | ParsedKey[] | Error;
  const key = Array.isArray(parsed) ? parsed[0] : parsed;
  if (key === undefined) return new Error('it holds no key');
  if (key instanceof Error) return key;
  return key.isPrivateKey() ? key : new Error('it is a public key');
}
