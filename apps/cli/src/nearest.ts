/** The known name closest to `name`, when it is close enough to be a slip of the finger; else null. */
function nearestName(name: string, known: readonly string[]): string | null {
  const ranked = known
    .map((candidate) => ({
      candidate,
      distance: editDistance(name.toLowerCase(), candidate.toLowerCase()),
    }))
    .sort((a, b) => a.distance - b.distance);
  const best = ranked[0];
  return best !== undefined && best.distance <= Math.max(2, name.length / 3)
    ? best.candidate
    : null;
}

/** One sentence for an unknown name: what there is, and the nearest. */
export function unknownName(kind: string, name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  const hint = nearest === null ? '' : ` Did you mean ${nearest}?`;
  return `unknown ${kind} '${name}'.${hint} There is: ${[...known].sort().join(', ')}`;
}

/** Levenshtein distance. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const substitution = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(
        Math.min(substitution, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1),
      );
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
