/** The name that takes the fewest edits to get to; null: none comes near. */
export function nearestName(name: string, names: Iterable<string>): string | null {
  let best: string | null = null;
  let fewest = Math.max(2, Math.floor(name.length / 2)) + 1;
  for (const candidate of names) {
    const edits = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (edits < fewest) {
      best = candidate;
      fewest = edits;
    }
  }
  return best;
}

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
