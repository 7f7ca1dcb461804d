import { compilePattern } from '../regex/compile-pattern.ts';
import { TokenizerError } from '../tokenizer-error.ts';
import { asComponent, type ComponentContext } from './component.ts';

/** The `pattern` of a `Split` or `Replace`: a text or a regular expression. */
export function readPattern(value: unknown, context: ComponentContext): RegExp {
  const pattern = asComponent(value, 'pattern');
  if (typeof pattern.String === 'string') return literalPattern(pattern.String);
  if (typeof pattern.Regex === 'string') return compilePattern(pattern.Regex, context.sets);
  throw new TokenizerError('FORMAT', 'A pattern of the tokenizer is neither String nor Regex');
}

function literalPattern(literal: string): RegExp {
  return new RegExp(literal.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'gu');
}

/** A part of a text that a pattern was looked for in. */
export type Match = Readonly<{ start: number; end: number; isMatch: boolean }>;

/** The whole text as matches and what lies between them. */
export function findMatches(text: string, pattern: RegExp): Match[] {
  const matches: Match[] = [];
  let end = 0;
  pattern.lastIndex = 0;
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const start = found.index;
    const length = found[0].length;
    if (length === 0) {
      pattern.lastIndex += (text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1;
      // an empty match right behind another one does not count for the reference
      if (start === end && matches.at(-1)?.isMatch === true) continue;
    }
    if (start > end) matches.push({ start: end, end: start, isMatch: false });
    matches.push({ start, end: start + length, isMatch: true });
    end = start + length;
  }
  if (end < text.length) matches.push({ start: end, end: text.length, isMatch: false });
  return matches;
}
