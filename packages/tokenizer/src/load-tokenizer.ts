import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Tokenizer } from '@hermes/protocol';
import { createTokenizer, type TokenizerOptions } from './create-tokenizer.ts';
import { hubSnapshot } from './hub-snapshot.ts';
import { isObject } from './pipeline/component.ts';
import { TokenizerError } from './tokenizer-error.ts';
import { parseFile, type TokenizerFiles } from './tokenizer-files.ts';

/** Where a tokenizer is: a folder, a `tokenizer.json`, a model in the hub's cache, or the texts themselves. */
export type TokenizerSource = Readonly<
  | { dir: string }
  /** The files that belong to it are looked for beside it. */
  | { file: string }
  /** `owner/name`; `revision` is a branch, tag or commit, default `main`. */
  | { hub: string; revision?: string }
  | TokenizerFiles
>;

/** How tokenizers are found and what they are told. */
export type LoadOptions = TokenizerOptions &
  Readonly<{
    /** The hub's cache; default `~/.cache/huggingface/hub`. */
    cacheDir?: string;
    signal?: AbortSignal;
  }>;

/** Loads a tokenizer. Throws `NOT_FOUND`, `FORMAT`, or `UNSUPPORTED` where it could only be approximated. */
export async function loadTokenizer(
  source: TokenizerSource,
  options: LoadOptions = {},
): Promise<Tokenizer> {
  return createTokenizer(await readFiles(source, options), options);
}

async function readFiles(source: TokenizerSource, options: LoadOptions): Promise<TokenizerFiles> {
  if ('tokenizerJson' in source) return source;
  if ('file' in source) return readBeside(source.file, dirname(source.file), options.signal);
  const folder = 'dir' in source ? source.dir : await hubSnapshot(source, options.cacheDir);
  return readBeside(join(folder, 'tokenizer.json'), folder, options.signal);
}

async function readBeside(
  file: string,
  folder: string,
  signal: AbortSignal | undefined,
): Promise<TokenizerFiles> {
  const read = (name: string): Promise<string | null> => readOrNull(join(folder, name), signal);
  const tokenizerJson = await readOrNull(file, signal);
  if (tokenizerJson === null) throw notThere(file);
  const configJson = await read('tokenizer_config.json');
  const chatTemplate =
    (await read('chat_template.jinja')) ?? templateOf(await read('chat_template.json'));
  const generationConfigJson = await read('generation_config.json');
  return {
    tokenizerJson,
    ...(configJson !== null && { configJson }),
    ...(chatTemplate !== null && { chatTemplate }),
    ...(generationConfigJson !== null && { generationConfigJson }),
  };
}

/** Some models have their template in a file of its own, as JSON. */
function templateOf(content: string | null): string | null {
  if (content === null) return null;
  const { chat_template: template } = parseFile('chat_template.json', content);
  if (typeof template === 'string') return template;
  throw new TokenizerError('FORMAT', 'chat_template.json has no chat_template');
}

async function readOrNull(path: string, signal: AbortSignal | undefined): Promise<string | null> {
  try {
    return await readFile(path, { encoding: 'utf8', ...(signal && { signal }) });
  } catch (cause) {
    if (isMissing(cause)) return null;
    if (signal?.aborted)
      throw new TokenizerError('CANCELLED', `Reading ${path} was cancelled`, { cause });
    throw new TokenizerError('SOURCE', `${path} cannot be read`, { cause });
  }
}

function isMissing(error: unknown): boolean {
  return isObject(error) && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

/** Models without a tokenizer.json have a format that this package does not read. */
function notThere(file: string): TokenizerError {
  return new TokenizerError(
    'NOT_FOUND',
    `There is no ${file}; models with only a tiktoken, tekken or SentencePiece file are not supported`,
  );
}
