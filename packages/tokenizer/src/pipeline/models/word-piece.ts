import { TokenizerError } from '../../tokenizer-error.ts';
import { toByteCharacters } from '../byte-characters.ts';
import { type ComponentJson, integer, text } from '../component.ts';
import type { TokenModel } from './token-model.ts';
import { readVocabulary, tokensById } from './vocabulary.ts';

/** BERT's WordPiece: the longest beginning that is a token, again and again. */
export function createWordPiece(json: ComponentJson): TokenModel {
  const vocabulary = readVocabulary(json.vocab);
  const tokens = tokensById(vocabulary);
  const continuingPrefix = text(json, 'continuing_subword_prefix');
  const maxCharacters =
    json.max_input_chars_per_word === undefined ? 100 : integer(json, 'max_input_chars_per_word');
  const unknownId = unknownOf(vocabulary, text(json, 'unk_token'));
  return {
    vocabulary,
    size: vocabulary.size,
    continuingPrefix,
    endOfWordSuffix: '',
    unknownId,
    locatesBytes: false,
    tokenOf: (id) => tokens[id],
    encode: (piece, areBytes, ids) => {
      const characters = Array.from(areBytes ? toByteCharacters(piece) : piece);
      const found =
        characters.length > maxCharacters
          ? null
          : longestTokens(characters, vocabulary, continuingPrefix);
      ids.push(...(found ?? [unknownId]));
    },
  };
}

/** Null: a part of the word is no token, so the word is unknown. */
function longestTokens(
  characters: readonly string[],
  vocabulary: ReadonlyMap<string, number>,
  prefix: string,
): number[] | null {
  const ids: number[] = [];
  for (let start = 0; start < characters.length; ) {
    let end = characters.length;
    let id: number | undefined;
    for (; end > start && id === undefined; end -= 1)
      id = vocabulary.get((start > 0 ? prefix : '') + characters.slice(start, end).join(''));
    if (id === undefined) return null;
    ids.push(id);
    start = end + 1;
  }
  return ids;
}

/** The id for words that are none; it must be there, else the text could not be encoded. */
export function unknownOf(vocabulary: ReadonlyMap<string, number>, token: string): number {
  const id = vocabulary.get(token);
  if (id !== undefined) return id;
  throw new TokenizerError('FORMAT', `The unk_token ${JSON.stringify(token)} is no token`);
}
