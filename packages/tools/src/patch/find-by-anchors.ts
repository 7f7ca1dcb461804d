import { type Block, blockOf, hasWord, scoresAt, spanAt, touchedFit } from './approximate-block.ts';
import type { Edit, Span } from './edit-types.ts';
import type { Haystack, TextLines } from './haystack.ts';

const ONE_CANDIDATE = 0.5;
const SEVERAL_CANDIDATES = 0.7;
/** Another place that is nearly as good makes it unclear which is meant. */
const CLEARLY_LESS = 0.1;
const MOST_CANDIDATES = 200;

/** First and last line as given, and what lies between alike. More than one place: all of them, for a refusal. */
export function findByAnchors(haystack: Haystack, edit: Edit): readonly Span[] {
  const block = blockOf(haystack, edit);
  const { wanted, file } = block;
  const [first, last] = [wanted[0] ?? '', wanted.at(-1) ?? ''];
  if (wanted.length < 3 || !isAnchored(file, first, last)) return [];
  const starts = indexesOf(file, first).filter(
    (start) => file.trimmed[start + wanted.length - 1] === last,
  );
  if (starts.length > MOST_CANDIDATES) return [];
  const needed = starts.length === 1 ? ONE_CANDIDATE : SEVERAL_CANDIDATES;
  const scored = starts.flatMap((start) => {
    const scores = scoresAt(block, start);
    return touchedFit(block, scores) ? [{ start, score: middleScore(block, start, scores) }] : [];
  });
  const best = scored.reduce((most, { score }) => Math.max(most, score), 0);
  const fitting = best < needed ? [] : scored.filter(({ score }) => score >= best - CLEARLY_LESS);
  return fitting.map(({ start }) => spanAt(block, start));
}

/** A bare bracket or a blank line says where only together with a line that the file has once. */
function isAnchored(file: TextLines, first: string, last: string): boolean {
  const telling = [first, last].filter(hasWord);
  return telling.length === 2 || telling.some((line) => indexesOf(file, line).length === 1);
}

/** The lines between the anchors; long ones count more. */
function middleScore({ wanted, file }: Block, first: number, scores: readonly number[]): number {
  let sum = 0;
  let weights = 0;
  for (let index = 1; index < wanted.length - 1; index += 1) {
    const weight = (wanted[index] ?? '').length + (file.trimmed[first + index] ?? '').length;
    sum += (scores[index] ?? 0) * weight;
    weights += weight;
  }
  return weights === 0 ? 1 : sum / weights;
}

function indexesOf({ trimmed }: TextLines, line: string): readonly number[] {
  return trimmed.flatMap((candidate, index) => (candidate === line ? [index] : []));
}
