/** Turns a piece of text into ids. */
export interface TokenModel {
  /** The ids of a piece are put behind those in `ids`. `areBytes`: the bytes of the piece are encoded. */
  encode(piece: string, areBytes: boolean, ids: number[]): void;
  readonly vocabulary: ReadonlyMap<string, number>;
  /** How many entries the vocabulary has. */
  readonly size: number;
  tokenOf(id: number): string | undefined;
  /** What stands before a token that continues a word, and is no text of it. */
  readonly continuingPrefix: string;
  /** What stands behind a token that ends a word, and is no text of it. */
  readonly endOfWordSuffix: string;
  readonly unknownId: number | null;
  /** Each byte token has the place of its character; else of the whole run of unknown characters. */
  readonly locatesBytes: boolean;
}
