import type { JsonObject } from '@hermes/protocol';
import { headOf } from '../_text.ts';
import type { SearchRecord } from './run-search.ts';

const MOST_CHARS = 500;

/** A part of what was found. total: all that was fetched. */
export type Page = Readonly<{ offset: number; limit: number }>;

/** `name` makes a path as the model can use it. */
export type NameOf = (path: string) => string;

/** Matching lines; the lines around them are marked, and come with the match that they belong to. */
export function contentPage(
  records: readonly SearchRecord[],
  context: number,
  page: Page,
  name: NameOf,
): JsonObject {
  const lines = records.flatMap(lineOf);
  const matches = lines.filter(({ isMatch }) => isMatch);
  const shown = matches.slice(page.offset, page.offset + page.limit);
  const wanted = new Set(shown.flatMap((match) => around(match, context)));
  const isShown = new Set(shown);
  const entries = lines
    .filter((line) => (line.isMatch ? isShown.has(line) : wanted.has(keyOf(line.path, line.line))))
    .map(({ path, line, content, isMatch }) => {
      const entry = { path: name(path), line, content: headOf(content, MOST_CHARS) };
      return isMatch ? entry : { ...entry, context: true };
    });
  return { total_count: matches.length, matches: entries, ...more(matches.length, page) };
}

export function filesPage(paths: readonly string[], page: Page, name: NameOf): JsonObject {
  const shown = paths.slice(page.offset, page.offset + page.limit).map(name);
  return { total_count: paths.length, files: shown, ...more(paths.length, page) };
}

export function countsPage(records: readonly SearchRecord[], page: Page, name: NameOf): JsonObject {
  const counted = records
    .map(({ path, text }) => [name(path), Number(text)] as const)
    .filter(([, count]) => count > 0);
  const total = counted.reduce((sum, [, count]) => sum + count, 0);
  const shown = counted.slice(page.offset, page.offset + page.limit);
  return { total_count: total, counts: Object.fromEntries(shown), ...more(counted.length, page) };
}

function more(available: number, { offset, limit }: Page): JsonObject {
  const next = offset + limit;
  if (available <= next) return {};
  return {
    truncated: true,
    _hint: `There are more results: go on with offset=${next}, or search more narrowly.`,
  };
}

type Line = Readonly<{ path: string; line: number; content: string; isMatch: boolean }>;

function lineOf({ path, text }: SearchRecord): readonly Line[] {
  const [, number, sign, content] = /^(\d+)([:-])(.*)$/s.exec(text) ?? [];
  if (content === undefined) return [];
  return [{ path, line: Number(number), content, isMatch: sign === ':' }];
}

function around({ path, line }: Line, context: number): readonly string[] {
  return Array.from({ length: 2 * context + 1 }, (_, index) => keyOf(path, line - context + index));
}

function keyOf(path: string, line: number): string {
  return `${line}:${path}`;
}
