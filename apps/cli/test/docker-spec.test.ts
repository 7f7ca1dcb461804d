import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isExpected } from '@hermes/vitest-config/services';
import { describe, expect, it } from 'vitest';
import { exitCodes } from '../src/index.ts';
import { dockerVariables } from './_backends.ts';
import { hermes, inFolder } from './_run.ts';

describe.runIf(isExpected('docker'))('of this machine a container gets', () => {
  const look = (
    variables: Readonly<Record<string, string>>,
    flags: readonly string[],
    script: string,
  ) =>
    inFolder(async (folder) => {
      await mkdir(join(folder, 'data'));
      await writeFile(join(folder, 'data/file'), 'of the host');
      const filled = Object.entries(variables).map(([name, value]) => [
        name,
        value.replaceAll('FOLDER', folder),
      ]);
      const argv = ['sandbox', 'run', '--sandbox', 'docker', ...flags, '--', 'sh', '-c', script];
      return hermes(argv, {
        workingDirectory: join(folder, 'data'),
        environmentVariables: { ...dockerVariables, ...Object.fromEntries(filled) },
      });
    });

  it('nothing by itself', async () => {
    const ended = await look({ WORD: 'secret' }, [], 'echo "[$WORD]"; ls');
    expect(ended).toEqual({ code: exitCodes.ran, stdout: '[]\n', stderr: '' });
  });

  it('the variables that are named', async () => {
    const variables = { WORD: 'one', TERMINAL_DOCKER_FORWARD_ENV: '["WORD", "NOT_SET"]' };
    const { stdout } = await look(variables, [], 'echo "[$WORD]"');
    expect(stdout).toBe('[one]\n');
    const flags = ['--env.docker_forward_env', 'OTHER,WORD'];
    expect((await look({ WORD: 'two' }, flags, 'echo "[$WORD]"')).stdout).toBe('[two]\n');
  });

  it('the folders that are named, or the one where the command was started', async () => {
    const volumes = { TERMINAL_DOCKER_VOLUMES: '["FOLDER/data:/mine:ro"]' };
    const script = 'cat /mine/file; touch /mine/new || echo kept';
    expect((await look(volumes, [], script)).stdout).toBe('of the hostkept\n');
    const cwd = { TERMINAL_DOCKER_MOUNT_CWD_TO_WORKSPACE: 'true' };
    expect((await look(cwd, [], 'cat /workspace/file')).stdout).toBe('of the host');
  });
});

it.each([
  [
    { TERMINAL_DOCKER_VOLUMES: '["data:/mine"]' },
    /docker_volumes: "data:\/mine" is no \/SOURCE:\/TARGET/,
  ],
  [{ TERMINAL_DOCKER_VOLUMES: '["/a:/b:rx"]' }, /docker_volumes: "\/a:\/b:rx" is no/],
  [{ TERMINAL_DOCKER_FORWARD_ENV: '["A"' }, /TERMINAL_DOCKER_FORWARD_ENV: .* is no list of JSON/],
  [{ TERMINAL_DOCKER_MOUNT_CWD_TO_WORKSPACE: 'maybe' }, /is neither true nor false/],
])('%j is refused', async (environmentVariables, message) => {
  const argv = ['evaluate', 'smoke', '--model', 'noop', '--sandbox', 'docker'];
  const ended = await hermes(argv, { environmentVariables });
  expect(ended.code).toBe(exitCodes.wrongUsage);
  expect(ended.stderr).toMatch(message);
});
