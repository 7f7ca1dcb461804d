import { execFileSync } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { scriptedModel } from '@hermes/protocol/testing';
import { isExpected } from '@hermes/vitest-config/services';
import { describe, expect, it } from 'vitest';
import { exitCodes, type ModelEntry } from '../src/index.ts';
import { dockerVariables, expectedBackends, sshVariables } from './_backends.ts';
import { type Ended, hermes, inFolder, summaryOf } from './_run.ts';

/** One smoke task for a live model. calls: how often it was asked. */
async function play(
  flags: readonly string[],
  environmentVariables: Readonly<Record<string, string>>,
  workingDirectory: string,
): Promise<{ readonly ended: Ended; readonly calls: number }> {
  const model = scriptedModel('done');
  const live: ModelEntry = {
    name: 'live',
    description: 'says nothing of use',
    isTrusted: false,
    choose: async () => ({ provider: 'live', modelId: 'live', open: () => model }),
  };
  const argv = ['evaluate', 'smoke', '--model', 'live', '--limit', '1', '--json', ...flags];
  const options = { models: [live], environmentVariables, workingDirectory };
  const ended = await hermes(argv, options);
  return { ended, calls: model.calls.length };
}

/** Refused with one line on stderr, and nothing was started. */
async function refusal(
  flags: readonly string[],
  variables: Readonly<Record<string, string>>,
  prepare: (folder: string) => Promise<readonly string[]> = async () => [],
): Promise<string> {
  return inFolder(async (folder) => {
    const more = await prepare(folder);
    const before = await readdir(folder);
    const { ended, calls } = await play([...flags, ...more], variables, folder);
    expect(ended, ended.stderr).toMatchObject({ code: exitCodes.wrongUsage, stdout: '' });
    expect(calls).toBe(0);
    expect(await readdir(folder)).toEqual(before);
    expect(ended.stderr.trimEnd()).not.toContain('\n');
    return ended.stderr;
  });
}

describe.runIf(isExpected('docker'))(
  'a wrong docker sandbox is refused before a token is spent',
  () => {
    const docker = ['--sandbox', 'docker'];

    it.each([
      {
        says: 'no daemon',
        flags: ['--env.docker_host', 'unix:///nowhere.sock'],
        message:
          /no Docker daemon answers at unix:\/\/\/nowhere\.sock.*start it .* or set DOCKER_HOST/,
      },
      {
        says: 'an address that is none',
        flags: ['--env.docker_host', 'nowhere'],
        message: /setting 'host': give unix:\/\/\/PATH/,
      },
      {
        says: 'a runtime that the daemon does not have',
        flags: ['--env.sandbox.runtime', 'nonesuch'],
        message: /has no runtime nonesuch.*install and register nonesuch, or leave it out/,
      },
      {
        says: 'a limit that it cannot keep',
        flags: ['--env.container_disk', '1024'],
        message: /env\.container_disk: --sandbox docker cannot keep this limit.*leave it out/,
      },
      {
        says: 'an unknown setting',
        flags: ['--env.sandbox.imgae', 'x'],
        message: /unknown setting 'imgae'. Did you mean 'image'/,
      },
      {
        says: 'a key of no provider',
        flags: ['--env.docker_imgae', 'x'],
        message: /docker_imgae: unknown key. Did you mean docker_image\?/,
      },
    ])('$says', async ({ flags, message }) => {
      expect(await refusal([...docker, ...flags], dockerVariables)).toMatch(message);
    });

    it('an image that is not there: the trial is errored, and the model never asked', () =>
      inFolder(async (folder) => {
        const missing = ['--env.docker_image', '127.0.0.1:9/no/such:1', '--max-tries', '1'];
        const { ended, calls } = await play([...docker, ...missing], {}, folder);
        expect(ended.code).toBe(exitCodes.runFailed);
        expect(summaryOf(ended)).toMatchObject({ errored: 1 });
        expect(calls).toBe(0);
      }));
  },
);

describe.runIf(isExpected('sshd'))('a wrong ssh sandbox is refused before a token is spent', () => {
  const ssh = ['--sandbox', 'ssh'];

  it.each([
    {
      says: 'no host',
      variables: {},
      flags: [],
      message: /TERMINAL_SSH_HOST/,
    },
    {
      says: 'an account that does not let us in',
      flags: ['--env.ssh_user', 'hermes-nobody'],
      message: /hermes-nobody@.*accepted none of.*set key, agent or password/,
    },
    {
      says: 'a key file that is not there',
      flags: ['--env.ssh_key', '/nowhere/key'],
      message: /\/nowhere\/key/,
    },
    {
      says: 'a port where nobody listens',
      flags: ['--env.ssh_port', '9'],
      message: /\[127\.0\.0\.1\]:9.*ECONNREFUSED/,
    },
    {
      says: 'a port that is no number',
      variables: { TERMINAL_SSH_PORT: 'abc' },
      flags: [],
      message: /TERMINAL_SSH_PORT: "abc" is no number/,
    },
    {
      says: 'a limit that it cannot keep',
      flags: ['--env.container_memory', '512'],
      message: /env\.container_memory: --sandbox ssh cannot keep this limit/,
    },
    {
      says: 'a live model without isolation',
      flags: [],
      message:
        /would run what it writes without isolation \(--sandbox ssh\).*--env\.require_sandbox false/,
    },
  ])('$says', async ({ flags, variables, message }) => {
    const said = await refusal([...ssh, ...flags], variables ?? sshVariables());
    expect(said).toMatch(message);
  });

  it('a host whose key is another one than the known', async () => {
    const variables = sshVariables();
    const said = await refusal(ssh, variables, async (folder) => {
      execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, 'other')]);
      const [type, key] = (await readFile(join(folder, 'other.pub'), 'utf8')).split(' ');
      const line = `[127.0.0.1]:${variables.TERMINAL_SSH_PORT} ${type} ${key}\n`;
      await writeFile(join(folder, 'known'), line);
      return ['--env.ssh_known_hosts', join(folder, 'known')];
    });
    expect(said).toMatch(/the host is refused: its key .* is another one than .*known has for it/);
  });

  it('but runs a live model for whom this was allowed by name', () =>
    inFolder(async (folder) => {
      const allowed = [...ssh, '--env.require_sandbox', 'false'];
      const { ended, calls } = await play(allowed, sshVariables(), folder);
      expect(ended.stderr).toContain('warning: this sandbox defends nothing');
      expect(summaryOf(ended)).toMatchObject({ failed: 1, errored: 0 });
      expect(calls).toBe(1);
    }));
});

const limiting = expectedBackends().filter(({ name }) => /^(bubblewrap|docker)$/.test(name));

it.each(limiting)('a limit that was asked for is kept in $name', async ({ name, variables }) => {
  const script = 'word=$(head -c 100000000 /dev/zero | tr "\\0" a); echo lives';
  const argv = [
    'sandbox',
    'run',
    '-s',
    name,
    '--env.container_memory',
    '64',
    '--',
    'bash',
    '-c',
    script,
  ];
  const ended = await hermes(argv, { environmentVariables: variables });
  expect(ended).toMatchObject({ code: exitCodes.runFailed, stdout: '' });
  expect(ended.stderr).toBe('hermes: the command ended: oom\n');
});
