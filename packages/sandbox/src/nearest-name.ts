/** The known name that was probably meant: the fewest edits away, or one that begins with `name`. Null: none comes near. */
export function nearestName(name: string, known: Iterable<string>): string | null {
  const wanted = name.toLowerCase();
  const limit = Math.max(2, Math.floor(wanted.length / 2));
  let best: string | null = null;
  let fewest = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const other = candidate.toLowerCase();
    const edits = editDistance(wanted, other);
    const isNear = edits <= limit || (wanted !== '' && other.startsWith(wanted));
    if (isNear && edits < fewest) [best, fewest] = [candidate, edits];
  }
  return best;
}

/** Levenshtein distance. */
function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const kept = (previous[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      const changed = Math.min(previous[column] ?? 0, current[column - 1] ?? 0) + 1;
      current.push(Math.min(kept, changed));
    }
    previous = current;
  }
  return previous[to.length] ?? 0;
}
