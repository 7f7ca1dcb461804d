import { afterReasoning } from '../data/after-reasoning.ts';
import { findNumbers } from './find-numbers.ts';
import { endsCalculation } from './is-part-of-more.ts';
import { lastBoxed } from './last-boxed.ts';
import { plainText } from './plain-text.ts';
import { readFirstValue } from './read-value.ts';

/** Longer responses are read from their end. */
const MAX_CHARS = 200_000;
const LINE_CHARS = 200;
const MAX_PHRASES = 20;

/** What a response gives as its answer, as plain text: after the reasoning the last `\boxed{}`, else the last `####`, else the last "answer is", else the last number. */
export function extractAnswer(response: string): string | null {
  const text = afterReasoning(response).slice(-MAX_CHARS);
  const boxed = plainText(lastBoxed(text) ?? '');
  if (boxed !== '') return boxed;
  const plain = plainText(text);
  return afterHashes(text) ?? afterPhrase(plain) ?? lastNumber(plain);
}

/** Only with a number directly behind it: elsewhere it is a heading. */
function afterHashes(text: string): string | null {
  const start = text.lastIndexOf('####');
  if (start === -1) return null;
  const [line = ''] = text
    .slice(start + 4, start + 4 + LINE_CHARS)
    .trimStart()
    .split('\n');
  const plain = plainText(line);
  return /^[-+]? ?\.?\d/.test(plain) ? plain : null;
}

const PHRASE = /\banswer\b[^.:=]{0,60}?(?:\b(?:is|are|be|equals)\b|[:=])/gi;

/** The last one that a number follows in its sentence. */
function afterPhrase(plain: string): string | null {
  const ends = Array.from(plain.matchAll(PHRASE), (match) => match.index + match[0].length);
  const sentences = ends.slice(-MAX_PHRASES).map((end) => sentenceAt(plain, end));
  const sentence = sentences.findLast((each) => findNumbers(each).length > 0);
  return sentence === undefined ? null : (readFirstValue(sentence)?.text ?? sentence.trim());
}

function sentenceAt(plain: string, start: number): string {
  const [sentence = ''] = plain.slice(start, start + LINE_CHARS).split(/[.!?;](?: |$)/);
  return sentence;
}

/** null where it is the end of a calculation whose result is not there. */
function lastNumber(plain: string): string | null {
  const number = findNumbers(plain).at(-1);
  return number === undefined || endsCalculation(plain, number) ? null : number.text.trim();
}
