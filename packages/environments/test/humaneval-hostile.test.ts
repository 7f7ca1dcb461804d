import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { humaneval } from '../src/index.ts';
import { ISOLATIONS, outcomes, play, temporaryFolder } from './_play.ts';
import { answering } from './_scripted-model.ts';
import { attacks, onlyIsolated } from './humaneval-attacks.ts';

/** One problem for each attack, under its name. */
async function datasetOf(names: readonly string[]): Promise<string> {
  const rows = names.map((name) => ({
    task_id: name,
    prompt: 'def double(number: int) -> int:\n    """Twice the number."""\n',
    entry_point: 'double',
    canonical_solution: '    return 2 * number\n',
    test: 'def check(candidate):\n    assert candidate(3) == 6\n    assert candidate(-1) == -2\n    assert candidate(10) == 20\n',
  }));
  const path = join(await temporaryFolder(), 'rows.jsonl');
  await writeFile(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  return path;
}

const config = { timeout: 1, memoryMib: 512 };

describe.each(ISOLATIONS)('a solution that does not solve, isolation %s', (isolation) => {
  const names = Object.keys(attacks).filter(
    (name) => isolation === 'bubblewrap' || !onlyIsolated.includes(name),
  );

  it('has failed, whatever it does to its judge', async () => {
    const dataset = await datasetOf(names);
    const { records } = await play(
      humaneval,
      { ...config, dataset },
      answering((name) => `\`\`\`python\n${attacks[name]}\n\`\`\``),
      isolation,
    );
    expect(outcomes(records)).toEqual(Object.fromEntries(names.map((name) => [name, 0])));
  }, 300_000);
});
