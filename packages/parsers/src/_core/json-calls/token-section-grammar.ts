import { MarkerSet } from '../markers.ts';

/** Calls between special tokens: a head, a separator, JSON, an end token; a section around them. */
export interface TokenSectionGrammar {
  readonly sectionBegins: readonly string[];
  readonly sectionEnds: readonly string[];
  readonly callBegin: string;
  readonly separator: string;
  readonly callEnd: string;
  /**
   * `plain`: the head names the call and JSON follows the separator.
   * `fenced`: the name follows the separator and JSON stands in a code fence.
   * `either`: plain, or fenced when the separator is not followed by `{`.
   */
  readonly body: 'plain' | 'fenced' | 'either';
  /** Name and native id of a trimmed head. Default: the head is the name. */
  readonly readHead?: (head: string) => Readonly<{ name: string; id: string | null }>;
}

/** A grammar with its markers sorted. */
export interface CompiledTokenSection {
  readonly grammar: TokenSectionGrammar;
  readonly inSection: MarkerSet;
  readonly inHead: MarkerSet;
  readonly inName: MarkerSet;
  readonly closers: MarkerSet;
  readonly resync: MarkerSet;
}

/** Stands around the JSON of a fenced call. */
export const fence = '```';

/** Sorts the markers once; every reader shares them. */
export function compileTokenSection(grammar: TokenSectionGrammar): CompiledTokenSection {
  const outside = [grammar.callBegin, grammar.callEnd, ...grammar.sectionEnds];
  return {
    grammar,
    inSection: new MarkerSet([grammar.callBegin, ...grammar.sectionEnds]),
    inHead: new MarkerSet([grammar.separator, ...outside]),
    inName: new MarkerSet([fence, ...outside]),
    closers: new MarkerSet(grammar.body === 'plain' ? outside : [fence, ...outside]),
    resync: new MarkerSet(outside),
  };
}
