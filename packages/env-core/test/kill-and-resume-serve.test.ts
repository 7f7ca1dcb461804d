import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runAndKill } from './_support/kill-script.ts';
import { temporaryFolder } from './_support/temporary-folder.ts';

const script = new URL('./_support/killed-serve.ts', import.meta.url);

async function lines(path: string): Promise<string[]> {
  return (await readFile(path, 'utf8')).split('\n').filter(Boolean);
}

it('loses no group to kills at random moments, and sends none anew but the one that was on its way', async () => {
  const folder = await temporaryFolder();
  const moments = [0, 1].map(() => 1 + Math.floor(Math.random() * 45));
  for (const [place, mode] of ['new', 'resume'].entries())
    expect(await runAndKill(script, [folder, mode], moments[place] ?? 1)).toBe('SIGKILL');
  expect(await runAndKill(script, [folder, 'resume'], null)).toBe(0);

  const entries = (await lines(join(folder, 'run/groups.jsonl'))).map((line) => JSON.parse(line));
  const ended = entries.map((entry) => entry.index).toSorted((a, b) => a - b);
  expect(new Set(ended).size, `kills at ${moments}`).toBe(ended.length);
  const position = JSON.parse(await readFile(join(folder, 'run/position.json'), 'utf8'));
  expect(ended.slice(0, position.group)).toEqual(ended.slice(0, position.group).map((_, n) => n));

  const taken = await lines(join(folder, 'taken'));
  const sent = entries.filter((entry) => entry.outcome === 'sent').map((entry) => entry.groupId);
  expect(new Set(taken)).toEqual(new Set(sent));
  expect(taken.length - new Set(taken).size, `kills at ${moments}`).toBeLessThanOrEqual(2);
}, 120_000);
