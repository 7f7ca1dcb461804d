import type { RenderableMessage, RenderOptions } from '../types.ts';
import type { Machine } from './machine.ts';
import { MarkerSet } from './markers.ts';
import type { NativeIds } from './native-ids.ts';

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

/** What a marker does by itself, in content and in reasoning; the cursor is behind it. */
export type Act = (machine: Machine, marker: string) => void;

/** What a marker in ordinary text means. `cut`: removed in silence. */
export type TextMarker =
  | Readonly<{ kind: 'block'; text: string; open: OpenBlock }>
  | Readonly<{ kind: 'act'; text: string; act: Act }>
  | Readonly<{ kind: PlainKind; text: string }>;

type PlainKind = 'reasoningOpen' | 'reasoningClose' | 'endOfTurn' | 'stray' | 'cut';

/** One format, as data and a few functions. */
export interface Format {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** Pairs of reasoning tags. Default none. */
  readonly reasoning?: readonly (readonly [open: string, close: string])[];
  /** Whether a marker is ordinary text where it stands. Default never. */
  readonly isPlain?: (machine: Machine, marker: TextMarker) => boolean;
  /** Other markers outside calls, such as `answerTags`, and what each does. */
  readonly acts?: Readonly<Record<string, Act>>;
  /** Tokens that end a turn: removed outside calls. */
  readonly endOfTurn?: readonly string[];
  /** Markers that are removed without a word, such as the tags around an answer. */
  readonly cut?: readonly string[];
  /** Opening markers and the reader of what follows each. */
  readonly blocks?: Readonly<Record<string, OpenBlock>>;
  /** Characters that may begin a call without a marker; never looked for in reasoning. */
  readonly candidates?: Readonly<Record<string, OpenBlock>>;
  /** Asked once, at the first character of the content that is no marker; its own marker is empty. */
  readonly start?: OpenBlock;
  /** Closing markers: stray outside a block. */
  readonly closers: readonly string[];
  /** Makes an id where the format brings none. Default `call_` and 24 hexadecimal digits. */
  readonly newId?: () => string;
  /** The id that a call brings, or null when it is not of the format's form. Default: ids are ignored. */
  readonly readId?: (text: string) => string | null;
  /** Remembers the ids that the calls of one text bring. Formats that bring ids need it. */
  readonly nativeIds?: () => NativeIds;
  /** Writes the markup. What cannot be read back is refused by the caller. */
  render(message: RenderableMessage, options: RenderOptions): string;
}

/** The marker sets of a format for one setting of `reasoning`. */
export interface CompiledFormat
  extends Pick<Format, 'newId' | 'readId' | 'nativeIds' | 'start' | 'isPlain'> {
  readonly canReason: boolean;
  readonly textMarkers: MarkerSet<TextMarker>;
  /** Inside reasoning: its end, or a block that might end it. */
  readonly reasoningMarkers: MarkerSet<TextMarker>;
}

/** Compiles the marker sets once; every parse shares them. */
export function compileFormat(format: Format, withReasoning: boolean): CompiledFormat {
  const pairs = withReasoning ? (format.reasoning ?? []) : [];
  const blocks = blockMarkers(format.blocks);
  const inReasoning = [
    ...blocks,
    ...markers(
      'reasoningClose',
      pairs.map(([, close]) => close),
    ),
    ...markers('endOfTurn', format.endOfTurn),
    ...actMarkers(format.acts),
  ];
  return {
    ...format,
    canReason: pairs.length > 0,
    reasoningMarkers: markerSet(inReasoning),
    textMarkers: markerSet([
      ...inReasoning,
      ...blockMarkers(format.candidates),
      ...markers(
        'reasoningOpen',
        pairs.map(([open]) => open),
      ),
      ...markers('cut', format.cut),
      ...markers('stray', format.closers),
    ]),
  };
}

function markerSet(values: readonly TextMarker[]): MarkerSet<TextMarker> {
  return new MarkerSet(values.map((value) => ({ text: value.text, value })));
}

function markers(kind: PlainKind, texts: readonly string[] = []): readonly TextMarker[] {
  return texts.map((text) => ({ kind, text }));
}

function blockMarkers(blocks: Format['blocks'] = {}): readonly TextMarker[] {
  return Object.entries(blocks).map(([text, open]) => ({ kind: 'block', text, open }));
}

function actMarkers(acts: Format['acts'] = {}): readonly TextMarker[] {
  return Object.entries(acts).map(([text, act]) => ({ kind: 'act', text, act }));
}
