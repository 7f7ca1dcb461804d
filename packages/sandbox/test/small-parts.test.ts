import { expect, it } from 'vitest';
import { baseEnvironment } from '../src/core/environment.ts';
import { OomWatch } from '../src/core/oom-watch.ts';
import { systemEffects } from '../src/core/system-effects.ts';
import { supervisorFiles } from '../src/index.ts';

it('a kill for want of memory is seen once, by the command during which the counter grew', async () => {
  let kills = 3;
  const watch = await OomWatch.open(async () => kills);
  expect(await watch.grewSince(watch.mark())).toBe(false);
  const mark = watch.mark();
  kills = 4;
  expect(await watch.grewSince(mark)).toBe(true);
  expect(await watch.grewSince(watch.mark())).toBe(false);
});

it('a command cannot start before the counter was looked at once, however long that takes', async () => {
  const looks: ((kills: number) => void)[] = [];
  const look = () => new Promise<number>((resolve) => looks.push(resolve));
  let isOpen = false;
  const opening = OomWatch.open(look);
  const opened = opening.then(() => {
    isOpen = true;
  });
  await new Promise(setImmediate);
  expect(isOpen).toBe(false);
  looks[0]?.(0);
  await opened;
  expect(isOpen).toBe(true);
});

it('a command that fails beside a killed one does not hide the kill', async () => {
  let kills = 0;
  const watch = await OomWatch.open(async () => kills);
  const [killed, failed] = [watch.mark(), watch.mark()];
  kills = 1;
  await watch.grewSince(failed);
  expect(await watch.grewSince(killed)).toBe(true);
});

it('where nobody counts, nothing was a kill for want of memory', async () => {
  const watch = await OomWatch.open(null);
  expect(await watch.grewSince(watch.mark())).toBe(false);
});

it('commands start from non-interactive defaults, which image and spec may change', () => {
  const env = baseEnvironment(
    '/root',
    { PATH: '/opt/bin', A: 'image' },
    { A: 'spec', PAGER: 'less' },
  );
  expect(env).toMatchObject({
    PATH: '/opt/bin',
    HOME: '/root',
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    GIT_TERMINAL_PROMPT: '0',
    A: 'spec',
    PAGER: 'less',
  });
  expect(Object.values(env)).not.toContain(process.env.npm_config_user_agent);
});

it('the packaged supervisor is found for both processors under either name, and for no other', () => {
  const { binary, fallback } = supervisorFiles();
  expect(binary('x86_64')).toMatch(/hermes-supervisor-linux-amd64$/);
  expect(binary('x64')).toBe(binary('x86_64'));
  expect(binary('aarch64')).toMatch(/hermes-supervisor-linux-arm64$/);
  expect(binary('riscv64')).toBeNull();
  expect(fallback).toMatch(/fallback\.sh$/);
});

it('a cancelled wait ends at once with an error that carries no stack, and the next one is usual', async () => {
  const { clock } = systemEffects();
  const stop = new AbortController();
  const waits = [
    clock.sleep(3_600_000, stop.signal),
    clock.sleep(Number.POSITIVE_INFINITY, stop.signal),
  ];
  stop.abort('enough');
  for (const wait of [...waits, clock.sleep(1, stop.signal)]) {
    const error = await wait.then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ code: 'CANCELLED', cause: 'enough' });
    expect(error instanceof Error ? error.stack : '').not.toContain('\n');
  }
  await clock.sleep(0);
  expect(new Error('later').stack).toContain('\n');
});
