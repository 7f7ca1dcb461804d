import { createHash } from 'node:crypto';
import type { Tokenizer } from '@hermes/protocol';
import { ChatRenderer } from './chat/chat-renderer.ts';
import { templateSources } from './chat/template-sources.ts';
import { findTurnEnds } from './chat/turn-ends.ts';
import { createEnvironment } from './template/create-environment.ts';
import { TextTokenizer } from './text-tokenizer.ts';
import { parseFile, type TokenizerFiles } from './tokenizer-files.ts';

/** Effects of a tokenizer. */
export type TokenizerOptions = Readonly<{
  /** The time that templates are told, in the zone of this machine; default: the clock. Freeze it for a session. */
  now?: () => Date;
}>;

/** Makes a tokenizer of the texts of its files. What could only be approximated is refused by name. */
export function createTokenizer(files: TokenizerFiles, options: TokenizerOptions = {}): Tokenizer {
  const json = parseFile('tokenizer.json', files.tokenizerJson);
  const config = parseFile('tokenizer_config.json', files.configJson ?? '{}');
  const generation = parseFile('generation_config.json', files.generationConfigJson ?? '{}');
  const text = new TextTokenizer(json, config);
  const sources = templateSources(config, files.chatTemplate);
  const environment = createEnvironment(options.now ?? (() => new Date()));
  const renderer = new ChatRenderer(text, sources, environment);
  return {
    id: digest(files),
    vocabularySize: text.vocabularySize,
    specialTokens: text.specialTokens,
    bosId: idOfRole(text, 'bos_token'),
    turnEndIds: findTurnEnds(text, renderer, generation),
    encode: (input, encoding) => text.encode(input, encoding),
    decode: (ids, decoding) => text.decode(ids, decoding),
    decoder: () => text.decoder(),
    render: (request) => renderer.render(request),
  };
}

function idOfRole(text: TextTokenizer, role: string): number | null {
  const name = text.named.get(role);
  return (name === undefined ? undefined : text.idOf(name)) ?? null;
}

/** The same for the same files, whatever folder they lie in. */
function digest(files: TokenizerFiles): string {
  const hash = createHash('sha256');
  for (const part of [
    files.tokenizerJson,
    files.configJson,
    files.chatTemplate,
    files.generationConfigJson,
  ])
    hash.update(`${part?.length ?? -1}:${part ?? ''}`);
  return `sha256:${hash.digest('hex')}`;
}
