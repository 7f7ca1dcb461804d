import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runAndKill } from './_support/kill-script.ts';
import { temporaryFolder } from './_support/temporary-folder.ts';

const script = new URL('./_support/killed-process.ts', import.meta.url);

it.each(['trajectories', 'groups'])(
  'has every line of %s exactly once after kills at random moments and a resume',
  async (lines) => {
    const folder = await temporaryFolder();
    const moments = [0, 1].map(() => 1 + Math.floor(Math.random() * 35));
    for (const [place, mode] of ['new', 'resume'].entries())
      expect(await runAndKill(script, [folder, mode, lines], moments[place] ?? 1)).toBe('SIGKILL');
    expect(await runAndKill(script, [folder, 'resume', lines], null), `kills at ${moments}`).toBe(
      0,
    );

    const text = await readFile(join(folder, 'out.jsonl'), 'utf8');
    expect(text.endsWith('\n')).toBe(true);
    const written = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const expected = Array.from({ length: 40 }, (_, index) => `item-${index}`);
    const perItem = lines === 'groups' ? 1 : 2;
    expect(
      written.map((line) => line.itemId),
      `kills at ${moments}`,
    ).toEqual(expected.flatMap((item) => Array.from({ length: perItem }, () => item)));
    expect(new Set(written.map((line) => line.id)).size).toBe(40 * perItem);
    const records = await readFile(join(folder, 'run/records.jsonl'), 'utf8');
    expect(records.trimEnd().split('\n')).toHaveLength(80);
    const groups = await readFile(join(folder, 'run/groups.jsonl'), 'utf8');
    expect(groups.trimEnd().split('\n')).toHaveLength(40);
  },
  120_000,
);
