import { type ComponentJson, isObject } from './pipeline/component.ts';
import { TokenizerError } from './tokenizer-error.ts';

/** The texts of the files that make a tokenizer. */
export type TokenizerFiles = Readonly<{
  /** `tokenizer.json`. */
  tokenizerJson: string;
  /** `tokenizer_config.json`; absent: no named special tokens, no template. */
  configJson?: string;
  /** `chat_template.jinja`; wins over the template in the configuration. */
  chatTemplate?: string;
  /** `generation_config.json`; its `eos_token_id` end a turn, too. */
  generationConfigJson?: string;
}>;

/** Parses one of the files; the message says which one it was. */
export function parseFile(name: string, content: string): ComponentJson {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch (cause) {
    throw new TokenizerError('FORMAT', `${name} is no JSON`, { cause });
  }
  if (isObject(value)) return value;
  throw new TokenizerError('FORMAT', `${name} is no object`);
}
