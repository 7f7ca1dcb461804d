import { userInfo } from 'node:os';
import { expect, it } from 'vitest';
import * as settings from '../src/parse-settings.ts';

const home = { HOME: '/home/me' };
const noFiles = { read: () => null, list: () => [] };

function parseSshSettings(raw: unknown, env: Readonly<Record<string, string | undefined>>) {
  return settings.parseSshSettings(raw, env, noFiles);
}

it('takes the variables of the original', () => {
  const env = {
    ...home,
    TERMINAL_SSH_HOST: 'box',
    TERMINAL_SSH_USER: 'me',
    TERMINAL_SSH_PORT: '2222',
    TERMINAL_SSH_KEY: '~/.ssh/box',
    TERMINAL_SSH_PERSISTENT: 'true',
  };
  const hop = { host: 'box', user: 'me', port: 2222, key: '/home/me/.ssh/box' };
  expect(parseSshSettings({}, env).hops).toMatchObject([hop]);
});

it('prefers a setting to a variable', () => {
  const { hops } = parseSshSettings(
    { host: 'mine', port: 23 },
    { ...home, TERMINAL_SSH_HOST: 'box', TERMINAL_SSH_PORT: '2222' },
  );
  expect(hops).toMatchObject([{ host: 'mine', port: 23 }]);
});

it('has defaults for all but the host', () => {
  const parsed = parseSshSettings({}, home);
  expect(parsed).toMatchObject({ hops: null, supervisor: 'auto', connections: 32 });
  expect(parseSshSettings({ host: 'box' }, home).hops).toEqual([
    {
      host: 'box',
      port: 22,
      user: userInfo().username,
      hostKeys: 'known',
      knownHosts: ['/home/me/.ssh/known_hosts', '/etc/ssh/ssh_known_hosts'],
      identityFiles: ['id_ed25519', 'id_ecdsa', 'id_rsa'].map((name) => `/home/me/.ssh/${name}`),
    },
  ]);
});

it.each([
  [{ prot: 1 }, {}, /unknown setting 'prot'. Did you mean 'port'\?/],
  [{ port: 0 }, {}, /setting 'port'/],
  [{ port: 65_536 }, {}, /setting 'port'/],
  [{ port: '22x' }, {}, /setting 'port': /],
  [{}, { TERMINAL_SSH_PORT: 'ssh' }, /TERMINAL_SSH_PORT: /],
  [{}, { TERMINAL_SSH_PERSISTENT: 'perhaps' }, /TERMINAL_SSH_PERSISTENT: /],
  [{ hostKeys: 'any' }, {}, /setting 'hostKeys'/],
  [
    { host: 'a', hostKeys: 'accept-new', knownHosts: '/dev/null' },
    {},
    /setting 'knownHosts': accept-new needs a file that keeps keys/,
  ],
  [{ host: '' }, {}, /setting 'host'/],
  [{ host: 'a', jump: 'b:c' }, {}, /setting 'jump': 'b:c' is no user@host:port/],
  [{ host: 'a', jump: [{ host: 'b', pot: 3 }] }, {}, /setting 'jump/],
  ['box', {}, /settings must be an object/],
])('refuses %j with %j and names the place', (raw, env, message) => {
  expect(() => parseSshSettings(raw, { ...home, ...env })).toThrow(message);
});

it('puts servers on the way before the host, with the account of the host but not its password', () => {
  const raw = {
    host: 'box',
    user: 'me',
    password: 'hush',
    key: '/key',
    jump: 'gate, you@[::1]:2222',
  };
  const { hops } = parseSshSettings(raw, home);
  expect(hops).toMatchObject([
    { host: 'gate', port: 22, user: 'me', key: '/key' },
    { host: '::1', port: 2222, user: 'you', key: '/key' },
    { host: 'box', port: 22, user: 'me', key: '/key', password: 'hush' },
  ]);
  expect(hops?.slice(0, 2).map(({ password }) => password)).toEqual([undefined, undefined]);
});

it('gives a server on the way an account of its own', () => {
  const { hops } = parseSshSettings(
    { host: 'box', user: 'me', jump: [{ host: 'gate', user: 'you', password: 'p' }] },
    home,
  );
  expect(hops?.[0]).toMatchObject({ host: 'gate', port: 22, user: 'you', password: 'p' });
});
