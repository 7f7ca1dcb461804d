import { MarkerSet } from '../markers.ts';
import { type CompiledValueGrammar, compileValueGrammar } from './value-reader.ts';

/** `OPEN name KEY k /KEY VALUE v /VALUE ... CLOSE`. */
export interface KeyValueGrammar {
  readonly open: string;
  readonly close: string;
  readonly key: readonly [open: string, close: string];
  readonly value: readonly [open: string, close: string];
  /** Tag behind the name, such as `<tool_sep>`. Default none. */
  readonly nameEnd?: string;
  /** Tags around a run of calls; text between the calls is dropped. Default none. */
  readonly section?: readonly [open: string, close: string];
}

/** A grammar with its markers sorted. */
export interface CompiledKeyValue {
  readonly grammar: KeyValueGrammar;
  readonly values: CompiledValueGrammar;
  readonly inSection: MarkerSet;
  readonly afterName: MarkerSet;
  readonly inKey: MarkerSet;
  readonly between: MarkerSet;
  readonly resync: MarkerSet;
}

/** Sorts the markers once; every reader shares them. */
export function compileKeyValue(grammar: KeyValueGrammar): CompiledKeyValue {
  const { open, close, key, value, nameEnd, section } = grammar;
  const afterCall = section === undefined ? [open] : [open, section[1]];
  const outside = [close, ...afterCall];
  return {
    grammar,
    values: compileValueGrammar({
      close: value[1],
      header: { open: key[0], end: key[1] },
      callCloses: [close],
      afterValue: [key[0], ...outside],
      afterCall,
    }),
    inSection: new MarkerSet(afterCall),
    afterName: new MarkerSet(nameEnd === undefined ? [key[0], close] : [nameEnd, key[0], close]),
    inKey: new MarkerSet([key[1], value[0], ...outside]),
    between: new MarkerSet([key[0], ...outside]),
    resync: new MarkerSet(outside),
  };
}
