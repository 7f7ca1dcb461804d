import { toByteCharacters } from '../byte-characters.ts';
import { type ComponentJson, text } from '../component.ts';
import type { TokenModel } from './token-model.ts';
import { readVocabulary, tokensById } from './vocabulary.ts';
import { unknownOf } from './word-piece.ts';

/** Each piece is one token, or unknown. */
export function createWordLevel(json: ComponentJson): TokenModel {
  const vocabulary = readVocabulary(json.vocab);
  const tokens = tokensById(vocabulary);
  const unknownId = unknownOf(vocabulary, text(json, 'unk_token'));
  return {
    vocabulary,
    size: vocabulary.size,
    continuingPrefix: '',
    endOfWordSuffix: '',
    unknownId,
    locatesBytes: false,
    tokenOf: (id) => tokens[id],
    encode: (piece, areBytes, ids) => {
      ids.push(vocabulary.get(areBytes ? toByteCharacters(piece) : piece) ?? unknownId);
    },
  };
}
