import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EnvironmentDefinition } from '@hermes/env-core';
import { describe, expect, it } from 'vitest';
import { gsm8k, humaneval, terminalTest } from '../src/index.ts';
import { openContext, temporaryFolder } from './_play.ts';

async function messageOf(definition: EnvironmentDefinition, dataset: string) {
  const config = await definition.config['~standard'].validate({ dataset });
  if (!('value' in config)) throw new Error('the configuration was refused');
  const opened = definition.open(config.value, openContext({ HF_HUB_OFFLINE: '1' }));
  const error: unknown = await opened.then(
    () => new Error('it was opened'),
    (reason: unknown) => reason,
  );
  return error instanceof Error ? error.message : String(error);
}

async function file(name: string, ...rows: readonly object[]): Promise<string> {
  const path = join(await temporaryFolder(), name);
  await writeFile(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  return path;
}

const all = [gsm8k, humaneval, terminalTest] as readonly EnvironmentDefinition[];

describe.each(all.map((definition) => [definition.id, definition] as const))(
  '%s',
  (_id, definition) => {
    it('names a file that is not there', async () => {
      const message = await messageOf(definition, '/no/such/rows.jsonl');
      expect(message).toContain('/no/such/rows.jsonl');
      expect(message.split('\n')).toHaveLength(1);
    });

    it('names the column that is missing, and those that there are', async () => {
      const message = await messageOf(
        definition,
        await file('rows.jsonl', { problem: 'x', points: 1 }),
      );
      expect(message).toMatch(/rows\.jsonl.*no column "\w+".*"problem", "points"/);
      expect(message.split('\n')).toHaveLength(1);
    });

    it('says that there are no rows', async () => {
      expect(await messageOf(definition, await file('empty.jsonl'))).toMatch(
        /empty\.jsonl has no rows/,
      );
    });

    it('says what it reads where a file is of another kind', async () => {
      const message = await messageOf(definition, await file('rows.docx', { a: 1 }));
      expect(message).toContain('rows.docx');
    });
  },
);

describe('a row', () => {
  it('of gsm8k without a number is named', async () => {
    const rows = [
      { question: 'a', answer: '#### 1' },
      { question: 'b', answer: 'many words' },
    ];
    expect(
      await messageOf(gsm8k as EnvironmentDefinition, await file('rows.jsonl', ...rows)),
    ).toMatch(
      /rows\.jsonl, row 2: column answer must end in "#### NUMBER", and ends in "many words"$/,
    );
  });

  it('of gsm8k that is no text is named', async () => {
    const path = await file('rows.jsonl', { question: 'a', answer: [5] });
    expect(await messageOf(gsm8k as EnvironmentDefinition, path)).toMatch(
      /row 1: column answer must be text, and is \[5\]$/,
    );
  });

  it('of humaneval whose id was there before is named', async () => {
    const row = { task_id: 'a', prompt: '', entry_point: 'f', canonical_solution: '', test: '' };
    const path = await file('rows.jsonl', row, row);
    expect(await messageOf(humaneval as EnvironmentDefinition, path)).toMatch(
      /two rows have the id a$/,
    );
  });

  it('of humaneval whose function has no name is named', async () => {
    const row = { task_id: 'a', prompt: '', entry_point: 'f()', canonical_solution: '', test: '' };
    expect(
      await messageOf(humaneval as EnvironmentDefinition, await file('rows.jsonl', row)),
    ).toMatch(/row 1: column entry_point must name a function, and is "f\(\)"$/);
  });
});

it('without a network the message offers a file and the built-in problems', async () => {
  const context = openContext({ HF_HUB_OFFLINE: '1', HF_HOME: await temporaryFolder() });
  const opening = gsm8k.open({ tools: false }, context);
  await expect(opening).rejects.toThrow(/openai\/gsm8k.*--dataset PATH.*--dataset builtin/);
});
