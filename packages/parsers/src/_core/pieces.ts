/**
 * Adds a piece of text to the others. Many small ones are joined, so that a long stream does not
 * leave a million of them.
 */
export function addPiece(pieces: string[], piece: string): void {
  pieces.push(piece);
  if ((pieces.at(-1000)?.length ?? 99) < 99) pieces.push(pieces.splice(-1000).join(''));
}
