import type { Machine } from './machine.ts';
import type { MarkerSet } from './markers.ts';

/** As `match`, but a tag that the end of the text cuts is undefined as well: something was to come. */
export function tagAt({ text, pos }: Machine, markers: MarkerSet): string | null | undefined {
  return markers.match(text, pos, false);
}
