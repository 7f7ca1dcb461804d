import { userInfo } from 'node:os';
import { expect, it } from 'vitest';
import { parseSshSettings } from '../src/parse-settings.ts';

const HOME = '/home/me';
const me = userInfo().username;

/** The hops to a host by these settings and this `~/.ssh/config`. */
function hopsBy(
  config: string,
  raw: object = { host: 'box' },
  { env = {}, files = {} }: { env?: object; files?: Readonly<Record<string, string>> } = {},
) {
  const all: Readonly<Record<string, string>> = { [`${HOME}/.ssh/config`]: config, ...files };
  const read = (path: string) => all[path] ?? null;
  const list = (folder: string) =>
    Object.keys(all)
      .filter((path) => path.startsWith(`${folder}/`))
      .map((path) => path.slice(folder.length + 1));
  return parseSshSettings(raw, { HOME, ...env }, { read, list }).hops ?? [];
}

const FULL = `
# A machine in the cellar
Host other
  User nobody
Host box b?x.* !box.evil
  HostName box.example.org
  Port = 2222
  user runner
  IdentityFile ~/.ssh/%h-%r
  IdentityFile "/keys/with space"
  IdentityAgent ~/agent.sock
  HostKeyAlias cellar
  UserKnownHostsFile ~/.ssh/cellar /etc/cellar
Host *
  User everybody
  IdentityFile ~/.ssh/everybody
`;

it('takes from the ssh configuration what the settings do not say', () => {
  expect(hopsBy(FULL)).toEqual([
    {
      host: 'box.example.org',
      port: 2222,
      user: 'runner',
      identityFiles: [
        '/home/me/.ssh/box.example.org-runner',
        '/keys/with space',
        '/home/me/.ssh/everybody',
      ],
      agent: '/home/me/agent.sock',
      hostKeyAlias: 'cellar',
      knownHosts: ['/home/me/.ssh/cellar', '/etc/cellar', '/etc/ssh/ssh_known_hosts'],
      hostKeys: 'known',
    },
  ]);
});

it('prefers settings and variables to the ssh configuration', () => {
  const raw = { host: 'box', port: 22, key: '/mine', agent: '', knownHosts: '/known' };
  const [hop] = hopsBy(FULL, raw, { env: { TERMINAL_SSH_USER: 'root', SSH_AUTH_SOCK: '/sock' } });
  expect(hop).toMatchObject({ host: 'box.example.org', port: 22, user: 'root', key: '/mine' });
  expect(hop?.knownHosts).toEqual(['/known']);
  expect(hop?.agent).toBeUndefined();
});

it.each([
  ['bax.org', 'runner'],
  ['BOX', 'runner'],
  ['box.evil', 'everybody'],
  ['boxes', 'everybody'],
])('matches %s by the patterns of a block', (host, user) => {
  expect(hopsBy(FULL, { host })[0]?.user).toBe(user);
});

it('is not read where that is not wanted', () => {
  expect(hopsBy(FULL, { host: 'box', sshConfig: '' })[0]).toMatchObject({ host: 'box', user: me });
});

it('follows ProxyJump through names of the configuration, each with an account of its own', () => {
  const config = `
Host box
  ProxyJump you@gate:2022,inner
Host gate
  HostName gate.example.org
  ProxyJump outer
Host inner
  HostName 10.0.0.1
  User in`;
  expect(hopsBy(config, { host: 'box', user: 'runner', password: 'hush' })).toMatchObject([
    { host: 'outer', port: 22, user: me },
    { host: 'gate.example.org', port: 2022, user: 'you' },
    { host: '10.0.0.1', port: 22, user: 'in' },
    { host: 'box', user: 'runner', password: 'hush' },
  ]);
});

it('goes the way of the settings where they name one, by names of the configuration too', () => {
  const config = 'Host box\nProxyCommand nc %h %p\nHost gate\nHostName 10.0.0.9\nPort 2022';
  const hops = hopsBy(config, { host: 'box', user: 'runner', jump: 'gate' });
  expect(hops).toMatchObject([{ host: '10.0.0.9', port: 2022, user: 'runner' }, { host: 'box' }]);
});

it.each([
  ['Host box\nProxyCommand none\nHost * !gate\nProxyJump gate', 1],
  ['Host box\nProxyJump none\nHost *\nProxyCommand nc %h %p', 1],
  ['Host * !gate\nProxyJump gate\nProxyCommand nc %h %p', 2],
])('lets the first word on the way count: %j', (config, length) => {
  expect(hopsBy(config)).toHaveLength(length);
});

it.each([
  [
    'Host box\nProxyCommand nc %h %p',
    /reaches box by a ProxyCommand.* use ProxyJump there, or set jump/,
  ],
  ['Host *\nProxyJump gate', /jumps in a circle: box > gate > gate/],
  ['Host box\nProxyJump a:b', /ProxyJump of box: 'a:b' is no user@host:port/],
  ['Host box\nPort ssh', /Port of box in the ssh configuration: 'ssh' is no port/],
])('refuses by name what it cannot follow: %j', (config, message) => {
  expect(() => hopsBy(config)).toThrow(message);
});

it.each([
  ['yes', 'accept-new', 'known'],
  ['no', 'known', 'known'],
  ['off', 'known', 'known'],
  ['accept-new', 'known', 'known'],
  ['no', 'accept-new', 'accept-new'],
] as const)(
  'is made stricter by StrictHostKeyChecking %s, never weaker (hostKeys %s)',
  (word, hostKeys, expected) => {
    const [hop] = hopsBy(`StrictHostKeyChecking ${word}`, { host: 'box', hostKeys });
    expect(hop?.hostKeys).toBe(expected);
  },
);

it('does not take a file that keeps nothing for known hosts', () => {
  const [hop] = hopsBy('UserKnownHostsFile /dev/null\nGlobalKnownHostsFile none');
  expect(hop?.knownHosts).toEqual(['/home/me/.ssh/known_hosts']);
});

it('uses no keys and no agent where the configuration says none', () => {
  const env = { SSH_AUTH_SOCK: '/sock' };
  const [hop] = hopsBy('IdentityFile none\nIdentityAgent none', { host: 'box' }, { env });
  expect([hop?.identityFiles, hop?.agent]).toEqual([[], undefined]);
  expect(hopsBy('', { host: 'box' }, { env })[0]?.agent).toBe('/sock');
});

it('follows files that are included, also within a block, and stops at a circle', () => {
  const files = {
    [`${HOME}/.ssh/config.d/one`]: 'Host box\nUser one\nInclude ~/.ssh/config.d/one',
    [`${HOME}/.ssh/config.d/.two`]: 'Port 23',
    '/etc/ssh/ssh_config': 'Include /etc/ssh/more\nHost *\nUser late',
    '/etc/ssh/more': 'Port 24',
  };
  const config = 'Host nothing\nInclude config.d/one\nHost *\nInclude config.d/*';
  expect(hopsBy(config, { host: 'box' }, { files })[0]).toMatchObject({ user: 'one', port: 24 });
  expect(hopsBy(config, { host: 'den' }, { files })[0]).toMatchObject({ user: 'late', port: 24 });
});

it.each([
  ['Match all', true],
  ['Match host box.example.org', true],
  ['Match originalhost b*,c*', true],
  ['Match !originalhost box', false],
  [`Match localuser ${me} user ${me}`, true],
  ['Match user somebody', false],
  ['Match exec "true"', false],
  ['Match host box.example.org exec "true"', false],
  ['Match final all', false],
])('heeds what it understands of %s, and runs nothing', (match, applies) => {
  const [hop] = hopsBy(`Host box\nHostName box.example.org\n${match}\nPort 2200`);
  expect(hop?.port).toBe(applies ? 2200 : 22);
});
