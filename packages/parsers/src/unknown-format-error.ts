const marker = Symbol.for('hermes.parsers.UnknownFormatError');

/** No parser has this name. */
export class UnknownFormatError extends Error {
  readonly code = 'UNKNOWN_FORMAT';
  readonly nearest: string | null;

  constructor(name: string, names: readonly string[]) {
    const nearest = nearestName(name, names);
    const hint = nearest === null ? '' : ` Did you mean '${nearest}'?`;
    super(`Tool call parser '${name}' not found.${hint} Available parsers: [${names.join(', ')}]`);
    this.name = 'UnknownFormatError';
    this.nearest = nearest;
    Object.defineProperty(this, marker, { value: true });
  }

  /** True for errors of this kind, also from another copy of the package. */
  static isInstance(value: unknown): value is UnknownFormatError {
    return typeof value === 'object' && value !== null && marker in value;
  }
}

/** The name with the fewest edits; null when none is near. */
function nearestName(name: string, names: readonly string[]): string | null {
  const wanted = String(name).toLowerCase().replaceAll('-', '_').slice(0, 40);
  let best: string | null = null;
  let least = Math.max(2, Math.floor(wanted.length / 2)) + 1;
  for (const candidate of names) {
    const edits = editDistance(wanted, candidate);
    if (edits < least) [best, least] = [candidate, edits];
  }
  return best;
}

function editDistance(one: string, two: string): number {
  let previous = Array.from({ length: two.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= two.length; column += 1) {
      const swap = (previous[column - 1] ?? 0) + (one[row - 1] === two[column - 1] ? 0 : 1);
      current.push(Math.min(swap, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[two.length] ?? 0;
}
