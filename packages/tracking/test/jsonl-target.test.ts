import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { testEffects } from '@hermes/protocol/testing';
import { expect, it } from 'vitest';
import { openTracker } from '../src/index.ts';
import { temporaryFolder } from './_folder.ts';
import { fillSmallDisk } from './_small-disk.ts';

it('writes one object a line, with time and step', async () => {
  const path = join(await temporaryFolder(), 'deep', 'metrics.jsonl');
  const tracker = openTracker({ jsonl: { path } }, testEffects());
  tracker.write(7, Date.UTC(2026, 0, 2), { 'train/avg_reward': 1 / 3 });
  tracker.table?.('train/rollouts', 7, ['text'], [['two\nlines']]);
  await tracker.close();
  expect(await readFile(path, 'utf8')).toBe(
    '{"time":"2026-01-02T00:00:00.000Z","kind":"scalars","step":7,"values":{"train/avg_reward":0.3333333333333333}}\n' +
      '{"time":"2026-01-01T00:00:00.000Z","kind":"table","step":7,"name":"train/rollouts","columns":["text"],"rows":[["two\\nlines"]]}\n',
  );
});

it.each([
  ['half a line', '{"step":1}\n{"st', '{"step":1}\n'],
  ['nothing but half a line', '{"st', ''],
  ['a long torn line', `{"step":1}\n${'x'.repeat(200_000)}`, '{"step":1}\n'],
  ['whole lines', '{"step":1}\n', '{"step":1}\n'],
])('goes on behind what an earlier process left: %s', async (_name, left, kept) => {
  const path = join(await temporaryFolder(), 'metrics.jsonl');
  await writeFile(path, left);
  const tracker = openTracker({ jsonl: { path } }, testEffects());
  tracker.write(2, 0, { value: 1 });
  await tracker.close();
  const text = await readFile(path, 'utf8');
  expect(text.startsWith(kept)).toBe(true);
  expect(JSON.parse(text.slice(kept.length))).toMatchObject({ step: 2 });
});

it('creates no file where there is nothing to write', async () => {
  const path = join(await temporaryFolder(), 'metrics.jsonl');
  await openTracker({ jsonl: { path } }, testEffects()).close();
  await expect(readFile(path)).rejects.toThrow('ENOENT');
});

it('says once that the disk is full, and the other files go on', async () => {
  const folder = await temporaryFolder();
  const effects = testEffects();
  await symlink('/dev/full', join(folder, 'full.jsonl'));
  const settings = { jsonl: { path: join(folder, 'full.jsonl') }, tensorBoard: { folder } };
  const tracker = openTracker(settings, effects);
  for (let step = 0; step < 3; step += 1) tracker.write(step, 0, { value: step });
  await tracker.close();
  const messages = effects.logger.entries.map(({ message }) => message);
  expect(messages).toEqual([expect.stringMatching(/^tracking: .*full\.jsonl: ENOSPC/)]);
});

it('ends with a whole line when the disk is full in the middle of one', async () => {
  const path = join(await temporaryFolder(), 'metrics.jsonl');
  const { written, failures } = await fillSmallDisk('jsonl', path);
  expect(failures).toEqual(['EFBIG', 'EFBIG', 'EFBIG']);
  const lines = (await readFile(path, 'utf8')).split('\n');
  expect(lines.pop()).toBe('');
  expect(lines.map((line) => JSON.parse(line).step)).toEqual([...Array(written).keys()]);
}, 60_000);
