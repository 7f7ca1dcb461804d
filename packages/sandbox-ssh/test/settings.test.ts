import { expect, it } from 'vitest';
import { parseSshSettings } from '../src/settings.ts';

const home = { HOME: '/home/me' };

it('takes the variables of the original', () => {
  const env = {
    ...home,
    TERMINAL_SSH_HOST: 'box',
    TERMINAL_SSH_USER: 'me',
    TERMINAL_SSH_PORT: '2222',
    TERMINAL_SSH_KEY: '~/.ssh/box',
    TERMINAL_SSH_PERSISTENT: 'true',
  };
  const hop = { host: 'box', user: 'me', port: 2222, key: '/home/me/.ssh/box', home: '/home/me' };
  expect(parseSshSettings({}, env).hops).toEqual([hop]);
});

it('prefers a setting to a variable', () => {
  const { hops } = parseSshSettings(
    { host: 'mine', port: 23 },
    { ...home, TERMINAL_SSH_HOST: 'box', TERMINAL_SSH_PORT: '2222' },
  );
  expect(hops).toMatchObject([{ host: 'mine', port: 23 }]);
});

it('has defaults for all but the host', () => {
  const settings = parseSshSettings({}, home);
  expect(settings).toMatchObject({
    hops: null,
    hostKeys: 'known',
    supervisor: 'auto',
    connections: 32,
  });
  expect(settings.knownHosts).toEqual(['/home/me/.ssh/known_hosts', '/etc/ssh/ssh_known_hosts']);
});

it.each([
  [{ prot: 1 }, {}, /unknown setting 'prot'. Did you mean 'port'\?/],
  [{ port: 0 }, {}, /setting 'port'/],
  [{ port: 65_536 }, {}, /setting 'port'/],
  [{ port: '22x' }, {}, /setting 'port': /],
  [{}, { TERMINAL_SSH_PORT: 'ssh' }, /TERMINAL_SSH_PORT: /],
  [{}, { TERMINAL_SSH_PERSISTENT: 'perhaps' }, /TERMINAL_SSH_PERSISTENT: /],
  [{ hostKeys: 'any' }, {}, /setting 'hostKeys'/],
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
  expect(hops).toEqual([
    { host: 'gate', port: 22, user: 'me', key: '/key', home: '/home/me' },
    { host: '::1', port: 2222, user: 'you', key: '/key', home: '/home/me' },
    { host: 'box', port: 22, user: 'me', key: '/key', password: 'hush', home: '/home/me' },
  ]);
});

it('gives a server on the way an account of its own', () => {
  const { hops } = parseSshSettings(
    { host: 'box', user: 'me', jump: [{ host: 'gate', user: 'you', password: 'p' }] },
    home,
  );
  expect(hops?.[0]).toEqual({
    host: 'gate',
    port: 22,
    user: 'you',
    password: 'p',
    home: '/home/me',
  });
});
