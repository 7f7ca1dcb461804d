import { expect, it } from 'vitest';
import { hermes, inFolder } from './_run.ts';

const run = ['evaluate', 'terminal-test', '--dataset', 'builtin', '--model', 'noop'];

it.each([
  ['a key of its own', ['--env.tool_pool_mode', 'nomad']],
  ['another backend beside it', ['--env.tool_pool_mode', 'nomad', '--sandbox', 'docker']],
])('tool_pool_mode opens the pool in the provider that it names: %s', (_how, flags) =>
  inFolder(async (workingDirectory) => {
    const ended = await hermes([...run, ...flags], { workingDirectory });
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain('tool_pool_mode nomad: sandboxes are slots in nomad');
    expect(ended.stderr).toContain('@hermes/sandbox-nomad');
  }),
);

it('tool_pool_mode default is the backend without a pool', () =>
  inFolder(async (workingDirectory) => {
    const flags = ['--env.tool_pool_mode', 'default', '--sandbox', './none.js'];
    const ended = await hermes([...run, ...flags], { workingDirectory });
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain('./none.js');
    expect(ended.stderr).not.toContain('slots');
  }));

it('says of a configuration that is no environment what is wrong with its name', () =>
  inFolder(async (workingDirectory) => {
    const ended = await hermes(['config', 'check', 'folder/own.js'], { workingDirectory });
    expect(ended.code).toBe(2);
    expect(ended.stdout + ended.stderr).toContain("unknown environment 'folder/own.js'");
  }));
