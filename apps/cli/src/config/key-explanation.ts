/** Everything that there is to know of one key. */
export type KeyExplanation = Readonly<{
  path: string;
  meaning: string;
  type: string;
  default: unknown;
  /** As it is written in a file. */
  example: string;
  /** Its short flag beside `--PATH`; null: none. */
  flag: string | null;
  variable: string | null;
  aliases: readonly string[];
  /** Names that are refused with this one. */
  wrongNames: readonly string[];
  /** Commands, providers or environments; none: it has no effect. */
  readers: readonly string[];
}>;
