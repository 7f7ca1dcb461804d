import { SPACES } from './lexer.ts';

const SPACE = new RegExp(`[${SPACES}]`);

/** Takes characters off the ends of a text: those of `characters`, or white space where it is null. */
export function strip(
  text: string,
  characters: string | null,
  sides: 'both' | 'left' | 'right',
): string {
  const all = Array.from(text);
  const set = characters === null ? null : new Set(Array.from(characters));
  const isStripped = (character: string | undefined): boolean =>
    character !== undefined && (set === null ? SPACE.test(character) : set.has(character));
  let start = 0;
  let end = all.length;
  while (sides !== 'right' && start < end && isStripped(all[start])) start += 1;
  while (sides !== 'left' && end > start && isStripped(all[end - 1])) end -= 1;
  return all.slice(start, end).join('');
}

/** The words of a text between white space; `limit` cuts at most, -1 is no limit. */
export function splitWords(text: string, limit: number, from: 'left' | 'right'): string[] {
  const words: string[] = [];
  let rest = strip(text, null, 'both');
  while (rest !== '' && words.length !== limit) {
    const found = (from === 'left' ? FIRST_WORD : LAST_WORD).exec(rest)?.[0] ?? rest;
    words.push(found);
    rest =
      from === 'left'
        ? strip(rest.slice(found.length), null, 'left')
        : strip(rest.slice(0, rest.length - found.length), null, 'right');
  }
  if (rest !== '') words.push(from === 'left' ? endOf(text, rest) : startOf(text, rest));
  return from === 'left' ? words : words.reverse();
}

const FIRST_WORD = new RegExp(`^[^${SPACES}]+`);
const LAST_WORD = new RegExp(`[^${SPACES}]+$`);

/** What is not cut any more keeps the space at its far end. */
function endOf(text: string, rest: string): string {
  return text.slice(text.lastIndexOf(rest));
}

function startOf(text: string, rest: string): string {
  return text.slice(0, text.indexOf(rest) + rest.length);
}

/** The parts of a text between separators; `limit` cuts at most, -1 is no limit. */
export function splitBy(
  text: string,
  separator: string,
  limit: number,
  from: 'left' | 'right',
): string[] {
  const parts = text.split(separator);
  if (limit < 0 || parts.length <= limit + 1) return parts;
  const rest = parts.length - limit;
  return from === 'left'
    ? [...parts.slice(0, limit), parts.slice(limit).join(separator)]
    : [parts.slice(0, rest).join(separator), ...parts.slice(rest)];
}
