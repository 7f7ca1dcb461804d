import type { Item } from '@hermes/env-core';
import type { JsonObject } from '@hermes/protocol';
import { plainText } from '../answers/plain-text.ts';
import { readValue } from '../answers/read-value.ts';
import { textColumn } from '../data/text-column.ts';

/** gold: the right number as the data has it. working: the data's way to it. */
export type WordProblem = Readonly<{ question: string; working: string; gold: string }>;

/** `{question, answer}`; the answer's number stands after `####`, or alone. */
export function readGsm8kRow(row: JsonObject, index: number): Item<WordProblem> {
  const question = textColumn(row, 'question');
  const answer = textColumn(row, 'answer');
  const mark = answer.lastIndexOf('####');
  const gold = (mark === -1 ? answer : answer.slice(mark + '####'.length)).trim();
  if (readValue(plainText(gold)) === null)
    throw new Error(
      `column answer must end in "#### NUMBER", and ends in ${JSON.stringify(gold.slice(-60))}`,
    );
  const working = withoutCalculator(mark === -1 ? '' : answer.slice(0, mark));
  return { id: `problem-${index + 1}`, data: { question, working, gold } };
}

/** `<<48/2=24>>` is a note for a calculator. */
function withoutCalculator(text: string): string {
  return text.replaceAll(/<<[^<>]*>>/g, '').trim();
}
