import { describe, expect, it } from 'vitest';
import { dottedOverrides } from '../src/config/dotted-overrides.ts';
import { takeDottedFlags } from '../src/dotted-flags.ts';

describe('dotted flags', () => {
  it.each<[string, readonly string[], string | null]>([
    ['a value after a space', ['--env.a', '1'], '1'],
    ['a value after =', ['--env.a=1=2'], '1=2'],
    ['an empty value', ['--env.a='], ''],
    ['a negative number', ['--env.a', '-1'], '-1'],
    ['a dash', ['--env.a', '-'], '-'],
    ['a value with a line break', ['--env.a=x\ny'], 'x\ny'],
    ['nothing at the end', ['--env.a'], null],
    ['a flag after it', ['--env.a', '--json'], null],
    ['a short flag after it', ['--env.a', '-m'], null],
  ])('take %s', (_what, argv, value) => {
    expect(takeDottedFlags(argv).dotted).toEqual([{ section: 'env', key: 'a', value }]);
  });

  it('leave everything else, and all that stands after --', () => {
    const argv = ['run', '--env.a', '1', '-m', 'x', '--', '--env.b', '2'];
    expect(takeDottedFlags(argv).rest).toEqual(['run', '-m', 'x', '--', '--env.b', '2']);
  });

  it('alone mean true where a key is true or false, or an environment decides', () => {
    const flags = ['--env.use_wandb', '--openai.health_check', '--env.privileged', '--env.mine'];
    const overrides = dottedOverrides(takeDottedFlags(flags).dotted);
    expect(overrides.map(({ value }) => value)).toEqual([true, true, true, true]);
  });

  it.each(['--env.max_agent_turns', '--openai.model_name', '--env.docker_image'])(
    '%s needs a value',
    (flag) => {
      expect(() => dottedOverrides(takeDottedFlags([flag]).dotted)).toThrow(
        `${flag}: a value is needed`,
      );
    },
  );
});
