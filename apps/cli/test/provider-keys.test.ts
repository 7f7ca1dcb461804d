import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exitCodes } from '../src/index.ts';
import { providerKeyNames } from '../src/sandboxes/builtin-providers.ts';
import { type ProviderKey, settingsOf } from '../src/sandboxes/provider-keys.ts';
import { envOfVariables } from '../src/sandboxes/terminal-variables.ts';
import { hermes, inFolder } from './_run.ts';

const keys: readonly ProviderKey[] = [
  { key: 'ssh_port', variable: 'TERMINAL_SSH_PORT', setting: 'port', kind: 'number' },
  {
    key: 'ssh_persistent',
    variable: 'TERMINAL_SSH_PERSISTENT',
    setting: 'persistent',
    kind: 'flag',
  },
  { key: 'ssh_user', variable: 'TERMINAL_SSH_USER', setting: 'user' },
];
const nothing = { further: {}, flagged: [], variables: {} };

describe('the settings of a provider', () => {
  it('come from variables, then keys of the file, then the map, then flags: the later wins', () => {
    const variables = { TERMINAL_SSH_PORT: '1', TERMINAL_SSH_USER: 'v' };
    const further = { ssh_port: 2 };
    expect(settingsOf(keys, null, { ...nothing, variables })).toEqual({ port: 1, user: 'v' });
    expect(settingsOf(keys, null, { ...nothing, variables, further })).toMatchObject({ port: 2 });
    const own = { port: 3 };
    expect(settingsOf(keys, own, { ...nothing, variables, further })).toMatchObject({ port: 3 });
    const flagged = ['ssh_port'];
    expect(settingsOf(keys, own, { further: { ssh_port: '4' }, flagged, variables })).toEqual({
      port: 4,
      user: 'v',
    });
  });

  it('are read by their kind, and an empty variable is none', () => {
    const variables = { TERMINAL_SSH_PERSISTENT: 'False', TERMINAL_SSH_USER: '' };
    const further = { ssh_user: 405 };
    expect(settingsOf(keys, null, { ...nothing, variables, further })).toEqual({
      persistent: false,
      user: '405',
    });
  });

  it.each([
    [{ TERMINAL_SSH_PORT: 'abc' }, /^TERMINAL_SSH_PORT: "abc" is no number/],
    [{ TERMINAL_SSH_PORT: ' ' }, /^TERMINAL_SSH_PORT: " " is no number/],
    [{ TERMINAL_SSH_PERSISTENT: 'maybe' }, /^TERMINAL_SSH_PERSISTENT: "maybe" is neither/],
  ])('%j is refused by the name of the variable', (variables, message) => {
    expect(() => settingsOf(keys, null, { ...nothing, variables })).toThrow(message);
  });
});

describe('variables of the original', () => {
  it('stand for keys of section env', () => {
    expect(
      envOfVariables({
        TERMINAL_ENV: 'docker',
        TERMINAL_TIMEOUT: '60',
        TERMINAL_LIFETIME_SECONDS: '30',
        TERMINAL_MAX_FOREGROUND_TIMEOUT: '90',
        TERMINAL_CONTAINER_CPU: '0.5',
        TERMINAL_CONTAINER_MEMORY: '512',
        TERMINAL_CONTAINER_DISK: '',
      }),
    ).toEqual({
      terminal_backend: 'docker',
      terminal_timeout: 60,
      terminal_lifetime: 30,
      terminal_max_foreground_timeout: 90,
      container_cpu: 0.5,
      container_memory: 512,
    });
    expect(() => envOfVariables({ TERMINAL_TIMEOUT: '1m' })).toThrow(/^TERMINAL_TIMEOUT: "1m"/);
  });

  it('are weaker than the file, and the file than flags', () =>
    inFolder(async (folder) => {
      await writeFile(join(folder, 'c.yaml'), 'env: { terminal_backend: filed }\n');
      const environmentVariables = { TERMINAL_ENV: 'varied' };
      const said = async (...flags: string[]) => {
        const argv = ['evaluate', 'smoke', '--model', 'noop', ...flags];
        const options = { workingDirectory: folder, environmentVariables };
        return (await hermes(argv, options)).stderr;
      };
      expect(await said()).toContain("unknown sandbox provider 'varied'");
      expect(await said('--config', 'c.yaml')).toContain("unknown sandbox provider 'filed'");
      const flags = ['--config', 'c.yaml', '--env.terminal_backend', 'flagged'];
      expect(await said(...flags)).toContain("unknown sandbox provider 'flagged'");
    }));
});

describe('hermes providers', () => {
  it('tells what is declared and what is proved, and goes on after one that cannot be opened', async () => {
    const environmentVariables = { TERMINAL_SSH_PORT: 'abc' };
    const { stdout } = await hermes(['providers', '--json'], { environmentVariables });
    const reports = JSON.parse(stdout) as readonly Record<string, unknown>[];
    const named = (name: string) => reports.find((one) => one.name === name);
    expect(named('host')).toMatchObject({
      declared: { isolation: 'none', shell: true },
      report: { ok: true, capabilities: { isolation: 'none', shell: true } },
    });
    expect(named('ssh')).toMatchObject({
      declared: null,
      report: { ok: false, capabilities: null, problems: [{ code: 'CONFIG' }] },
    });
  });

  it('shows in brackets what is declared and not proved here', async () => {
    const ended = await hermes(['providers', 'docker', '--env.docker_host', 'unix:///nowhere']);
    expect(ended.code).toBe(exitCodes.ran);
    expect(ended.stdout).toMatch(/^docker +not here/m);
    expect(ended.stdout).toMatch(/^networkNone +\(yes\)$/m);
    expect(ended.stdout).toMatch(
      /docker: no Docker daemon answers at unix:\/\/\/nowhere.* -> start it/,
    );
  });

  it('looks at a provider of somebody else by its path', () =>
    inFolder(async (folder) => {
      await writeFile(join(folder, 'mine.mjs'), foreignProvider);
      const argv = ['providers', './mine.mjs', '--env.sandbox.size', '3'];
      const { stdout } = await hermes(argv, { workingDirectory: folder });
      expect(stdout).toMatch(/ready +vm +size 3/);
      expect(stdout).toMatch(/^networkNone +- \(yes\)$/m);
    }));

  it('has the keys of providers listed with those of environments', async () => {
    const { stdout } = await hermes(['environments']);
    expect(stdout).toContain(`keys of sandbox providers: ${providerKeyNames.join(', ')}`);
  });
});

const foreignProvider = `
export const createSandboxProvider = async ({ size }) => ({
  specificationVersion: 'v1', id: 'mine', capabilities: { isolation: 'vm', networkNone: true },
  preflight: async () => ({
    ok: true, summary: 'size ' + size, problems: [], capabilities: { isolation: 'vm', networkNone: false },
  }),
  close: async () => {},
});
`;
