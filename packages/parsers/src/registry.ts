import { requireType } from './_core/options.ts';
import { apertusParser } from './formats/apertus.ts';
import { cohereCommand3Parser } from './formats/cohere_command3.ts';
import { deepseekV3Parser } from './formats/deepseek_v3.ts';
import { deepseekV31Parser } from './formats/deepseek_v3_1.ts';
import { deepseekV4Parser } from './formats/deepseek_v4.ts';
import { deepseekV32Parser } from './formats/deepseek_v32.ts';
import { ernie45Parser } from './formats/ernie45.ts';
import { functiongemmaParser } from './formats/functiongemma.ts';
import { gemma4Parser } from './formats/gemma4.ts';
import { gigachat3Parser } from './formats/gigachat3.ts';
import { glm45Parser } from './formats/glm45.ts';
import { graniteParser } from './formats/granite.ts';
import { granite20bFcParser } from './formats/granite_20b_fc.ts';
import { granite4Parser } from './formats/granite4.ts';
import { harmonyParser } from './formats/harmony.ts';
import { hermesParser } from './formats/hermes.ts';
import { hunyuanA13bParser } from './formats/hunyuan_a13b.ts';
import { hyV3Parser } from './formats/hy_v3.ts';
import { internlmParser } from './formats/internlm.ts';
import { jambaParser } from './formats/jamba.ts';
import { kimiK2Parser } from './formats/kimi_k2.ts';
import { kimiK3Parser } from './formats/kimi_k3.ts';
import { lfm2Parser } from './formats/lfm2.ts';
import { llama3JsonParser } from './formats/llama3_json.ts';
import { longcatParser } from './formats/longcat.ts';
import { minimaxM1Parser } from './formats/minimax_m1.ts';
import { minimaxM2Parser } from './formats/minimax_m2.ts';
import { minimaxM3Parser } from './formats/minimax_m3.ts';
import { mistralParser } from './formats/mistral.ts';
import { nemotronParser } from './formats/nemotron.ts';
import { olmo3Parser } from './formats/olmo3.ts';
import { phi4MiniJsonParser } from './formats/phi4_mini_json.ts';
import { pythonicParser } from './formats/pythonic.ts';
import { qwenParser } from './formats/qwen.ts';
import { qwen3CoderParser } from './formats/qwen3_coder.ts';
import { seedOssParser } from './formats/seed_oss.ts';
import { step3Parser } from './formats/step3.ts';
import { xlamParser } from './formats/xlam.ts';
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
  apertusParser,
  cohereCommand3Parser,
  deepseekV3Parser,
  deepseekV32Parser,
  deepseekV31Parser,
  deepseekV4Parser,
  ernie45Parser,
  functiongemmaParser,
  gemma4Parser,
  gigachat3Parser,
  glm45Parser,
  graniteParser,
  granite4Parser,
  granite20bFcParser,
  harmonyParser,
  hermesParser,
  hunyuanA13bParser,
  hyV3Parser,
  internlmParser,
  jambaParser,
  kimiK2Parser,
  kimiK3Parser,
  lfm2Parser,
  llama3JsonParser,
  longcatParser,
  minimaxM1Parser,
  minimaxM2Parser,
  minimaxM3Parser,
  mistralParser,
  nemotronParser,
  olmo3Parser,
  phi4MiniJsonParser,
  pythonicParser,
  qwenParser,
  qwen3CoderParser,
  seedOssParser,
  step3Parser,
  xlamParser,
];

/** A registry of these parsers; of two with one name, the later one counts. */
export function createParserRegistry(parsers: readonly ToolCallParser[]): ParserRegistry {
  const byName = new Map<string, ToolCallParser>();
  for (const parser of parsers) {
    requireType(parser?.name, '', 'the name of a parser');
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
