/**
 * Where a long text can be cut before it is merged: between two characters that stand side by side
 * in no token. No merge crosses such a place, so the parts can be encoded, and remembered, alone.
 */
export class SafeCuts {
  private readonly vocabulary: ReadonlyMap<string, number>;
  private readonly followers = new Map<string, Set<string>>();

  constructor(vocabulary: ReadonlyMap<string, number>, mergedTokens: Iterable<string>) {
    this.vocabulary = vocabulary;
    for (const token of mergedTokens) this.addNeighbours(token);
  }

  cut(text: string): string[] {
    const parts: string[] = [];
    let start = 0;
    let position = 0;
    let previous = '';
    for (const character of text) {
      if (position > 0 && this.isSafe(previous, character)) {
        parts.push(text.slice(start, position));
        start = position;
      }
      previous = character;
      position += character.length;
    }
    parts.push(text.slice(start));
    return parts;
  }

  /** A character that is no token itself becomes bytes or unknown; then nothing is known of its neighbours. */
  private isSafe(left: string, right: string): boolean {
    if (this.followers.get(left)?.has(right)) return false;
    return this.vocabulary.has(left) && this.vocabulary.has(right);
  }

  private addNeighbours(token: string): void {
    let previous = '';
    for (const character of token) {
      if (previous !== '') {
        const followers = this.followers.get(previous) ?? new Set();
        this.followers.set(previous, followers.add(character));
      }
      previous = character;
    }
  }
}
