import { MarkerSet } from '../markers.ts';
import type { OwnType } from './parameter-writer.ts';
import { type CompiledValueGrammar, compileValueGrammar, isTagName } from './value-reader.ts';

/** What a header between its fixed parts says. */
export type Header = Readonly<{ name: string; ownType?: OwnType }>;

/** Calls and parameters as nested tags, an optional block around the calls. */
export interface TaggedCallGrammar {
  /** Tags of the block: opening spellings and closing spellings. */
  readonly block: Readonly<{ opens: readonly string[]; closes: readonly string[] }>;
  /** A call outside a block is `fine`, reported as `missing_wrapper`, or plain `text`. */
  readonly withoutBlock: 'fine' | 'missing_wrapper' | 'text';
  /** Tokens around each call of a block; text between them is dropped. Default none. */
  readonly wrapper?: Readonly<{ open: string; close: string }>;
  readonly call: Readonly<{ open: string; end: string; close: string }>;
  /** Other spellings of the tags of a call. */
  readonly otherCalls?: readonly Readonly<{ open: string; close: string }>[];
  readonly parameter: Readonly<{
    open: string;
    end: string;
    close: string | ((name: string) => string);
    /** Longer beginnings of `open` that open no parameter. */
    not?: readonly string[];
  }>;
  /** Reads the text between `open` and `end`; null when it is no header. Default: the bare name. */
  readonly readHeader?: (text: string) => Header | null;
  /** What cannot stand in a header. Default `<` and a line feed. */
  readonly notInHeader?: readonly string[];
  /** One line break at each end of a value is markup. Default false. */
  readonly trimsLines?: boolean;
  /** All arguments as one JSON object, bare or as a parameter `arguments`, are read. Default false. */
  readonly unwrapsJson?: boolean;
}

/** A grammar with its markers sorted. */
export interface CompiledTaggedCall {
  readonly grammar: TaggedCallGrammar;
  readonly value: CompiledValueGrammar;
  readonly readHeader: (text: string) => Header | null;
  readonly callOpens: readonly string[];
  readonly callCloses: readonly string[];
  readonly callOpen: MarkerSet;
  readonly callHeader: MarkerSet;
  readonly parameterHeader: MarkerSet;
  readonly inCall: MarkerSet;
  readonly afterCall: MarkerSet;
  readonly betweenCalls: MarkerSet;
  readonly resync: MarkerSet;
}

/** Sorts the markers once; every reader shares them. */
export function compileTaggedCall(grammar: TaggedCallGrammar): CompiledTaggedCall {
  const { block, call, otherCalls = [], wrapper, parameter, notInHeader = ['<', '\n'] } = grammar;
  const callOpens = [call, ...otherCalls].map(({ open }) => open);
  const callCloses = [call, ...otherCalls].map(({ close }) => close);
  const wrappers = wrapper === undefined ? [] : [wrapper.open, wrapper.close];
  const outside = [...block.closes, ...callOpens, ...block.opens, ...wrappers];
  return {
    grammar,
    value: compileValueGrammar({
      close: parameter.close,
      header: parameter,
      callCloses,
      afterValue: [parameter.open, ...callCloses, ...outside],
      notAfterValue: parameter.not ?? [],
      afterCall: outside,
      notInHeader,
    }),
    readHeader: grammar.readHeader ?? ((name) => (isTagName(name) ? { name } : null)),
    callOpens,
    callCloses,
    callOpen: new MarkerSet(callOpens),
    callHeader: new MarkerSet([call.end, ...notInHeader]),
    parameterHeader: new MarkerSet([parameter.end, ...notInHeader]),
    inCall: new MarkerSet([parameter.open, ...callCloses, ...outside]),
    afterCall: new MarkerSet(outside),
    betweenCalls: new MarkerSet([...callOpens, ...block.closes, ...wrappers]),
    resync: new MarkerSet([...callCloses, ...outside]),
  };
}
