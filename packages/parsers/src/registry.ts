import { deepseekV3Parser } from './formats/deepseek-v3.ts';
import { deepseekV31Parser } from './formats/deepseek-v3-1.ts';
import { deepseekV4Parser } from './formats/deepseek-v4.ts';
import { deepseekV32Parser } from './formats/deepseek-v32.ts';
import { glm45Parser } from './formats/glm45.ts';
import { hermesParser } from './formats/hermes.ts';
import { hyV3Parser } from './formats/hy-v3.ts';
import { kimiK2Parser } from './formats/kimi-k2.ts';
import { kimiK3Parser } from './formats/kimi-k3.ts';
import { longcatParser } from './formats/longcat.ts';
import { minimaxM2Parser } from './formats/minimax-m2.ts';
import { minimaxM3Parser } from './formats/minimax-m3.ts';
import { mistralParser } from './formats/mistral.ts';
import { pythonicParser } from './formats/pythonic.ts';
import { qwen3CoderParser } from './formats/qwen3-coder.ts';
import { seedOssParser } from './formats/seed-oss.ts';
import { step3Parser } from './formats/step3.ts';
import type { ToolCallParser } from './types.ts';
import { UnknownFormatError } from './unknown-format-error.ts';

/** Parsers by name. Built from an explicit list; nothing is registered behind one's back. */
export type ParserRegistry = Readonly<{
  /** Throws `UnknownFormatError`, which lists the names and the nearest one. */
  get(name: string): ToolCallParser;
  /** All names and aliases, sorted. */
  list(): readonly string[];
}>;

/** Every format of this package, one parser a format. */
export const builtinParsers: readonly ToolCallParser[] = [
  deepseekV3Parser,
  deepseekV31Parser,
  deepseekV32Parser,
  deepseekV4Parser,
  glm45Parser,
  hermesParser,
  hyV3Parser,
  kimiK2Parser,
  kimiK3Parser,
  longcatParser,
  minimaxM2Parser,
  minimaxM3Parser,
  mistralParser,
  pythonicParser,
  qwen3CoderParser,
  seedOssParser,
  step3Parser,
];

/** A registry of these parsers; of two with one name, the later one counts. */
export function createParserRegistry(parsers: readonly ToolCallParser[]): ParserRegistry {
  const byName = new Map<string, ToolCallParser>();
  for (const parser of parsers) {
    for (const name of [parser.name, ...parser.aliases]) byName.set(name, parser);
  }
  const names = [...byName.keys()].sort();
  return {
    get(name: string): ToolCallParser {
      const parser = byName.get(name);
      if (parser === undefined) throw new UnknownFormatError(name, names);
      return parser;
    },
    list: () => names,
  };
}

const builtin = createParserRegistry(builtinParsers);

/** The parser of a built-in format, by its name or an alias. Throws `UnknownFormatError`. */
export function getParser(name: string): ToolCallParser {
  return builtin.get(name);
}

/** All built-in names and aliases, sorted. */
export function listParsers(): readonly string[] {
  return builtin.list();
}
