import { parseJson } from './ask.ts';
import { refusalSchema } from './wire-schemas.ts';

/** Which groups of a list a 422 names: the second step of each place, as in `["body", 3, "scores"]`. */
export function refusedIndices(text: string): ReadonlySet<number> {
  const parsed = refusalSchema.safeParse(parseJson(text));
  if (!parsed.success || typeof parsed.data.detail === 'string') return new Set();
  const indices = parsed.data.detail.map(({ loc }) => loc[1]);
  return new Set(indices.filter((index) => typeof index === 'number'));
}
