import type { JsonValue } from '@hermes/protocol';
import { LineCounter, parseDocument, type YAMLError } from 'yaml';
import { dataOf, YamlDataError } from './_yaml-data.ts';
import { findEntry } from './_yaml-places.ts';
import { plainScalars } from './_yaml-scalars.ts';

/** What a YAML text holds. */
export type YamlText = Readonly<{
  data: JsonValue;
  /** A sentence for each key that stands twice in one map. */
  doubles: readonly string[];
  /** Where the key at the end of the path stands; null: it came by a merge, or is not there. */
  lineOf: (path: readonly (string | number)[]) => number | null;
  /** The word that stands there, before it was read as a number or the like; null: it is no plain word. */
  wordAt: (path: readonly (string | number)[]) => string | null;
}>;

/** Where a YAML text is wrong, and what to do. line and column count from 1. */
export class YamlTextError extends Error {
  constructor(message: string, line: number, column: number) {
    super(`line ${line}, column ${column}: ${message}`);
  }
}

/** Reads YAML 1.1 as PyYAML's safe_load does. Throws a YamlTextError. */
export function readYaml(text: string): YamlText {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    schema: 'failsafe',
    customTags: (tags) => [...tags, ...plainScalars],
    version: '1.1',
    lineCounter: lines,
    uniqueKeys: false,
    prettyErrors: false,
    merge: false,
  });
  const tag = document.warnings.find(({ code }) => code === 'TAG_RESOLVE_FAILED');
  const problem = document.errors[0] ?? tag;
  if (problem !== undefined)
    throw errorAt(lines, problem.pos[0], `${problem.message}${adviceOn(problem, text)}`);
  const doubles: string[] = [];
  try {
    const data = dataOf(document, ({ key, offset }) => {
      doubles.push(`${key} stands twice in one map; line ${lines.linePos(offset).line} counts`);
    });
    return {
      data,
      doubles,
      lineOf: (path) => {
        const { offset } = findEntry(document, path);
        return offset === null ? null : lines.linePos(offset).line;
      },
      wordAt: (path) => findEntry(document, path).word,
    };
  } catch (error) {
    if (!(error instanceof YamlDataError)) throw error;
    throw errorAt(lines, error.offset, error.message);
  }
}

/** A single value as it would be read in a file; a text that is no YAML stays as it is. */
export function readScalar(text: string): unknown {
  try {
    return readYaml(text).data;
  } catch (error) {
    if (error instanceof YamlTextError) return text;
    throw error;
  }
}

function errorAt(lines: LineCounter, offset: number, message: string): YamlTextError {
  const { line, col } = lines.linePos(offset);
  return new YamlTextError(
    message.replaceAll(/\s+/g, ' ').trim(),
    Math.max(line, 1),
    Math.max(col, 1),
  );
}

/** What to do about the mistakes that are made most. */
const ADVICE: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: '. Indent with spaces',
  BAD_INDENT: '. Keys of one map stand in one column; indent with spaces',
  MULTIPLE_DOCS: '. One file holds one document: take out the line ---',
  BLOCK_AS_IMPLICIT_KEY: '. Is a text with ": " in it? Put it in quotes',
  UNEXPECTED_TOKEN: '. Is a bracket or a quote not closed?',
  MISSING_CHAR: '. Is a bracket or a quote not closed?',
  BAD_ALIAS: '. A text that begins with * or & must stand in quotes',
  TAG_RESOLVE_FAILED: '. Leave the tag out: only the types of YAML itself are read',
};

function adviceOn({ code, message }: YAMLError, text: string): string {
  if (/^\t/m.test(text) && code !== 'MULTIPLE_DOCS') return '. Indent with spaces, not with tabs';
  if (message.startsWith('Flow')) return '. Is a bracket not closed?';
  return ADVICE[code] ?? '. A text with special characters must stand in quotes';
}
