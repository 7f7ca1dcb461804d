import type { Splice } from './edit-types.ts';
import { styleOf } from './indentation-style.ts';
import { splicesFor } from './line-splices.ts';
import { adaptedLines, linesInPlace } from './new-lines.ts';
import { diffLines } from './pair-lines.ts';

/**
 * What has to change in the found text so that it says what the new one says. Lines that the edit
 * leaves alone stay as the file has them, byte for byte; changed ones get the file's indentation.
 * Offsets are of the found text. null: how to indent the new lines cannot be told.
 */
export function transplant(
  old: string,
  replacement: string,
  found: string,
): readonly Splice[] | null {
  const blocks = {
    wanted: old.split('\n'),
    next: replacement.split('\n'),
    there: found.split('\n'),
  };
  const changes = diffLines(blocks.wanted, blocks.next);
  if (old === found) return splicesFor(changes, blocks.there, blocks.next);
  const style = styleOf(blocks);
  if (style === 'unclear') return null;
  if (style === 'file') {
    const lines = linesInPlace(blocks);
    return splicesFor(diffLines(blocks.there, lines), blocks.there, lines);
  }
  const lines = adaptedLines(blocks, changes);
  return lines === null ? null : splicesFor(changes, blocks.there, lines);
}
