import { type ComponentJson, refusal } from '../component.ts';
import { createBpe } from './bpe.ts';
import type { TokenModel } from './token-model.ts';
import { createUnigram } from './unigram.ts';
import { createWordLevel } from './word-level.ts';
import { createWordPiece } from './word-piece.ts';

/** The model of a tokenizer.json, exact or refused by name. */
export function createModel(json: ComponentJson): TokenModel {
  const create = MODELS[modelType(json)];
  if (create === undefined) throw refusal('model', json);
  return create(json);
}

const MODELS: Readonly<Record<string, (json: ComponentJson) => TokenModel>> = {
  BPE: createBpe,
  Unigram: createUnigram,
  WordLevel: createWordLevel,
  WordPiece: createWordPiece,
};

/** Old files do not name the type; merges are found in BPE alone, a list of scores in Unigram alone. */
function modelType(json: ComponentJson): string {
  if (typeof json.type === 'string') return json.type;
  if (Array.isArray(json.merges)) return 'BPE';
  if (Array.isArray(json.vocab)) return 'Unigram';
  return 'continuing_subword_prefix' in json ? 'WordPiece' : 'WordLevel';
}
