import { expect, it } from 'vitest';
import { exitCodes } from '../src/index.ts';
import { hermes } from './_run.ts';

it.each(['--base-url', '--dataset', '--path', '--config', '--run-dir'])(
  'an empty %s is refused: it is never taken for the default or this folder',
  async (flag) => {
    const { code, stderr } = await hermes(['evaluate', 'smoke', '--model', 'openai:x', flag, '']);
    expect(stderr).toMatch(/it is empty; is a variable of your shell not set\?/);
    expect(stderr).toContain(flag);
    expect(code).toBe(exitCodes.wrongUsage);
  },
);

it('a resume without the folder of a run is refused before the endpoint is asked', async () => {
  const argv = ['evaluate', 'smoke', '--model', 'openai:x', '--resume'];
  const { code, stderr } = await hermes([...argv, '--base-url', 'http://127.0.0.1:1']);
  expect(stderr).toMatch(/name its folder with --run-dir/);
  expect(code).toBe(exitCodes.wrongUsage);
});
