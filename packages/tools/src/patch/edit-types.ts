/** A part of a text: from `start` up to, not including, `end`. */
export type Span = Readonly<{ start: number; end: number }>;

/** A part of a text and what comes in its place. */
export type Splice = Span & Readonly<{ text: string }>;

/** What shall be replaced by what. */
export type Edit = Readonly<{
  old: string;
  new: string;
  /** Every place instead of the only one. */
  replaceAll?: boolean;
  /** Only places that begin and end with a line. */
  wholeLines?: boolean;
}>;

/** Where an edit fits, and what it reads like there. */
export type Match = Readonly<{ spans: readonly Span[]; old: string; new: string }>;

/** Why a text was left as it is. */
export type EditFailure =
  | 'EMPTY_OLD'
  | 'IDENTICAL'
  | 'NOT_FOUND'
  | 'AMBIGUOUS'
  | 'UNCLEAR_INDENTATION'
  | 'RAW_BYTES';

/** places: where the text fits (AMBIGUOUS), or the one place that comes nearest; line numbers, counted from 1. */
export type EditOutcome = Readonly<
  | { ok: true; text: string; strategy: string; count: number }
  | { ok: false; code: EditFailure; count: number; places: readonly Place[] }
>;

/** Some lines of a text, to be shown. */
export type Place = Readonly<{ line: number; text: string }>;
