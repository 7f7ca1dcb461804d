import { TokenizerError } from '../../tokenizer-error.ts';
import { type ComponentContext, type ComponentJson, flag, text } from '../component.ts';
import { type Pieces, splitAt, splitPieces } from '../pieces.ts';
import type { PreTokenizer } from './create-pre-tokenizer.ts';

/** Where a mark for "a word begins here" is put before a text. */
export type PrependScheme = 'always' | 'first' | 'never';

/** SentencePiece's way: spaces are marks that belong to the word behind them. */
export function createMetaspace(json: ComponentJson, _context: ComponentContext): PreTokenizer {
  const mark = text(json, 'replacement');
  const scheme = prependScheme(json);
  const pattern = new RegExp(mark.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'gu');
  const isSplit = flag(json, 'split', true);
  return (pieces, atStart) => {
    const marked = withMarks(pieces, mark, (start) => isMarked(scheme, start, atStart));
    if (!isSplit) return marked;
    return splitPieces(marked, (piece) => splitAt(piece, pattern, 'MergedWithNext'));
  };
}

/** The scheme of a Metaspace; older files have `add_prefix_space` instead. */
export function prependScheme(json: ComponentJson): PrependScheme {
  const scheme = json.prepend_scheme;
  if (scheme === 'always' || scheme === 'first' || scheme === 'never') return scheme;
  if (scheme === undefined) return flag(json, 'add_prefix_space', true) ? 'always' : 'never';
  throw new TokenizerError('FORMAT', `The prepend_scheme ${JSON.stringify(scheme)} is unknown`);
}

function isMarked(scheme: PrependScheme, start: number, atStart: boolean): boolean {
  return scheme === 'always' || (scheme === 'first' && atStart && start <= 0);
}

function withMarks(pieces: Pieces, mark: string, isPrefixed: (start: number) => boolean): Pieces {
  const texts: string[] = [];
  const starts: number[] = [];
  pieces.texts.forEach((piece, index) => {
    const start = pieces.starts[index] ?? 0;
    const marked = piece.replaceAll(' ', mark);
    const isAdded = isPrefixed(start) && !marked.startsWith(mark);
    texts.push(isAdded ? mark + marked : marked);
    starts.push(isAdded ? start - mark.length : start);
  });
  return { ...pieces, texts, starts };
}
