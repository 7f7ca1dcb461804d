import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Tokenizer } from '@hermes/protocol';
import { isExpected } from '@hermes/vitest-config/services';
import { describe, expect, it } from 'vitest';
import { wellFormed } from '../src/text-tokenizer.ts';
import { askPython, temporaryFolder, tokenizersIn } from './_referee.ts';
import { hardTexts } from './_texts.ts';

const TEXTS = 2000;
const MINUTES = 60_000;

/** Ids, ids with what the tokenizer adds, decoded text, and that without special tokens. */
type Answer = [ids: number[], full: number[], text: string, plain: string];

function ours(tokenizer: Tokenizer, text: string, ids: readonly number[]): Answer {
  return [
    tokenizer.encode(text),
    tokenizer.encode(text, { addSpecial: true }),
    tokenizer.decode(ids),
    tokenizer.decode(ids, { skipSpecial: true }),
  ];
}

function streamed(tokenizer: Tokenizer, ids: readonly number[]): string {
  const decoder = tokenizer.decoder();
  return ids.map((id) => decoder.push([id])).join('') + decoder.finish();
}

describe.runIf(isExpected('transformers'))('beside transformers', () => {
  it(
    `${TEXTS} texts have the same ids, and these the same text, in tokenizers of 19 families`,
    async () => {
      const folder = temporaryFolder();
      await askPython('make_tokenizers.py', [folder]);
      const texts = hardTexts(TEXTS);
      const file = join(temporaryFolder(), 'texts.json');
      writeFileSync(file, JSON.stringify(texts.map(wellFormed)));
      const answers = await askPython<Record<string, Answer[]>>('encode.py', [folder, file]);
      const tokenizers = tokenizersIn(folder);
      expect(tokenizers).toHaveLength(19);
      for (const [name, tokenizer] of tokenizers)
        for (const [index, text] of texts.entries()) {
          const answer = answers[name]?.[index] ?? [[], [], '', ''];
          expect(ours(tokenizer, text, answer[0]), `${name}, text ${index}`).toEqual(answer);
          expect(streamed(tokenizer, answer[0]), `${name}, stream ${index}`).toBe(answer[2]);
        }
    },
    8 * MINUTES,
  );
});
