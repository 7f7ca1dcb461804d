import { type Issue, issueOf, type Place, pathOf } from './issues.ts';
import type { Shape } from './writers.ts';

/** What a group may not have in `strict` beyond what is declared: lengths that differ, numbers that are not finite. */
export function strictIssues(
  shapes: ReadonlyMap<string, Shape>,
  areFinite: boolean,
  place: Place,
): readonly Issue[] {
  const tokens = shapes.get('tokens') as readonly number[];
  const perToken = ['masks', 'advantages', 'ref_logprobs', 'inference_logprobs'];
  const wrong = perToken.flatMap((name) => lengthIssues(name, tokens, shapes.get(name), place));
  const rows = ['scores', 'messages', 'overrides', 'distill_token_ids', 'distill_logprobs'];
  wrong.push(...rows.flatMap((name) => countIssues(name, tokens, shapes.get(name), place)));
  if (!areFinite) wrong.push(issueOf('finite_number', place, null));
  return wrong;
}

function lengthIssues(
  name: string,
  tokens: readonly number[],
  shape: Shape | undefined,
  place: Place,
): readonly Issue[] {
  const wrongCount = countIssues(name, tokens, shape, place);
  if (wrongCount.length > 0 || !Array.isArray(shape) || shape.length === 0) return wrongCount;
  return shape.flatMap((count, index) =>
    count === tokens[index]
      ? []
      : [mismatch(place, [name, index], `${count} entries where tokens has ${tokens[index]}`)],
  );
}

/** Empty optional lists stand for absent ones. */
function countIssues(
  name: string,
  tokens: readonly number[],
  shape: Shape | undefined,
  place: Place,
): readonly Issue[] {
  const count = Array.isArray(shape) ? shape.length : (shape ?? 0);
  const isRequired = name === 'masks' || name === 'scores';
  if (count === tokens.length || (count === 0 && !isRequired)) return [];
  return [mismatch(place, [name], `${count} sequences where tokens has ${tokens.length}`)];
}

function mismatch(place: Place, path: readonly (string | number)[], msg: string): Issue {
  return { type: 'length_mismatch', loc: [...pathOf(place), ...path], msg, input: null };
}
