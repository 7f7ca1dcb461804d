import { TokenizerError } from '../../tokenizer-error.ts';
import { isObject } from '../component.ts';

/** The `vocab` of a model: token to id. */
export function readVocabulary(value: unknown): Map<string, number> {
  if (!isObject(value)) throw new TokenizerError('FORMAT', 'The vocabulary is no object');
  return new Map(
    Object.entries(value).map(([token, id]) => {
      if (typeof id === 'number' && Number.isInteger(id) && id >= 0) return [token, id];
      throw new TokenizerError('FORMAT', `The id of ${JSON.stringify(token)} is none`);
    }),
  );
}

/** The same the other way round; ids may be missing. */
export function tokensById(vocabulary: ReadonlyMap<string, number>): (string | undefined)[] {
  const size = 1 + [...vocabulary.values()].reduce((one, other) => Math.max(one, other), -1);
  const tokens = new Array<string | undefined>(size).fill(undefined);
  for (const [token, id] of vocabulary) tokens[id] = token;
  return tokens;
}
