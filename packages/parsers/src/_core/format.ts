import type { RenderableMessage, RenderOptions } from '../types.ts';
import type { Machine } from './machine.ts';
import { MarkerSet } from './markers.ts';
import type { ReadOptions } from './options.ts';

/** `more`: the window is used up; `again`: go on (the block may have ended itself). */
export type Step = 'more' | 'again';

/**
 * Reads one block from behind its opening marker. It ends itself with `machine.endBlock()`,
 * `strayBlock` or `textBlock`.
 */
export interface BlockReader {
  /** One step forward. Every `again` must have moved the cursor or the reader's own phase. */
  step(): Step;
  /** The text ended while the reader wanted more. Must end the block or move the cursor back. */
  cut(): void;
}

/** Makes the reader of a block whose marker began at `start`; null when the marker is plain text. */
export type OpenBlock = (machine: Machine, start: number, marker: string) => BlockReader | null;

/** Makes the machine that reads one answer. */
export type CreateMachine = (format: CompiledFormat, options: ReadOptions) => Machine;

/** What a marker in ordinary text means. `cut`: removed in silence. */
type MarkerKind = 'block' | 'open' | 'close' | 'endOfTurn' | 'stray' | 'cut';

/** One format, as data and a few functions. */
export interface Format {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** Pairs of reasoning tags. Default none. */
  readonly reasoning?: readonly (readonly [open: string, close: string])[];
  /** Tokens that end a turn: removed outside calls. */
  readonly endOfTurn?: readonly string[];
  /** Markers that are removed without a word, such as the tags around an answer. */
  readonly cut?: readonly string[];
  /** Opening markers and the reader of what follows each. */
  readonly blocks?: Readonly<Record<string, OpenBlock>>;
  /** Characters that may begin a call without a marker; never looked for in reasoning. */
  readonly candidates?: Readonly<Record<string, OpenBlock>>;
  /** Texts that tell of a call as well, where none of these begins it. Default none. */
  readonly signs?: readonly string[];
  /** Closing markers: stray outside a block. */
  readonly closers: readonly string[];
  /** Makes an id where the format brings none. Default `call_` and 24 hexadecimal digits. */
  readonly newId?: () => string;
  /** The id that a call brings, or null when it is not of the format's form. Default: ids are ignored. */
  readonly readId?: (text: string) => string | null;
  /** For what not all formats need, such as `nativeIds`. */
  readonly machine?: CreateMachine;
  /**
   * Brings an argument text to the spelling that a rendering keeps. Default: all of it is kept,
   * white space around it aside.
   */
  readonly spell?: (json: string) => string;
  /** Writes the markup. What cannot be read back is refused by the caller. */
  render(message: RenderableMessage, options: RenderOptions): string;
}

/** A format with its markers sorted. */
export interface CompiledFormat extends Format {
  /** @internal */
  readonly openBlock: Readonly<Record<string, OpenBlock>>;
  /** What each marker of the two sets means. @internal */
  readonly kinds: ReadonlyMap<string, MarkerKind>;
  /** @internal */
  readonly textMarkers: MarkerSet;
  /** Inside reasoning: its end, or a block that might end it. @internal */
  readonly reasoningMarkers: MarkerSet;
}

/** Compiles the marker sets once; every parse shares them. */
export function compileFormat(format: Format): CompiledFormat {
  const { reasoning: pairs = [] } = format;
  const openBlock = { ...format.blocks, ...format.candidates };
  const kinds = new Map<string, MarkerKind>();
  const markers = (kind: MarkerKind, texts: readonly string[] = []): MarkerSet => {
    for (const text of texts) kinds.set(text, kinds.get(text) ?? kind);
    return new MarkerSet([...kinds.keys()]);
  };
  markers('block', Object.keys({ ...format.blocks }));
  markers(
    'close',
    pairs.map(([, close]) => close),
  );
  markers('endOfTurn', format.endOfTurn);
  const reasoningMarkers = markers(
    'open',
    pairs.map(([open]) => open),
  );
  markers('block', Object.keys(openBlock));
  markers('cut', format.cut);
  return {
    ...format,
    openBlock,
    kinds,
    reasoningMarkers,
    textMarkers: markers('stray', format.closers),
  };
}
