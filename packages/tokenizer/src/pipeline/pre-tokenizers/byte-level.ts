import { compilePattern } from '../../regex/compile-pattern.ts';
import { type ComponentContext, type ComponentJson, flag } from '../component.ts';
import { type Pieces, splitAt, splitPieces } from '../pieces.ts';
import type { PreTokenizer } from './create-pre-tokenizer.ts';

/** GPT-2's way to split a text; each piece is then seen as its bytes. */
const GPT2 = "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+";

export function createByteLevel(json: ComponentJson, context: ComponentContext): PreTokenizer {
  const prefixed = flag(json, 'add_prefix_space', true);
  const pattern = flag(json, 'use_regex', true) ? compilePattern(GPT2, context.sets) : null;
  return (pieces) => {
    const spaced = prefixed ? withSpace(pieces) : pieces;
    const split =
      pattern === null
        ? spaced
        : splitPieces(spaced, (piece) => splitAt(piece, pattern, 'Isolated'));
    return { ...split, areBytes: true };
  };
}

/** Every piece begins with a space. */
function withSpace(pieces: Pieces): Pieces {
  const isSpaced = pieces.texts.map((text) => text.startsWith(' '));
  return {
    ...pieces,
    texts: pieces.texts.map((text, index) => (isSpaced[index] ? text : ` ${text}`)),
    starts: pieces.starts.map((start, index) => (isSpaced[index] ? start : start - 1)),
  };
}
