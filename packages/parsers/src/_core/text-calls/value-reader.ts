import type { Machine } from '../machine.ts';
import { MarkerSet } from '../markers.ts';
import { isSpace } from '../whitespace.ts';
import type { ParameterWriter } from './parameter-writer.ts';

/** The tags around a value. Of an opening tag its fixed part is enough. */
export interface ValueGrammar {
  /** Closes the value. One that depends on the name of the parameter begins like `header.open`. */
  readonly close: string | ((name: string) => string);
  /** Fixed part of the header of a parameter, and what ends the header. */
  readonly header: Readonly<{ open: string; end: string }>;
  /** Close the call. */
  readonly callCloses: readonly string[];
  /** Tags that may follow a value: next parameter, end of call or block, next call. */
  readonly afterValue: readonly string[];
  /** Longer beginnings of such tags that may not. Default none. */
  readonly notAfterValue?: readonly string[];
  /** Tags that may follow a call: end of block, next call. */
  readonly afterCall: readonly string[];
  /** What cannot stand in a header. Default `<` and a line feed. */
  readonly notInHeader?: readonly string[];
}

export interface CompiledValueGrammar extends ValueGrammar {
  readonly inValue: MarkerSet;
  readonly inHeader: MarkerSet;
  readonly followsValue: Followers;
  readonly followsCall: Followers;
}

/** Tags that may follow, among all that must be told from them. */
type Followers = Readonly<{ yes: readonly string[]; all: MarkerSet }>;

/** How a value ended; `header`: at the header of another parameter, whose text is in `header`. */
export type ValueEnd = 'more' | 'closed' | 'header' | 'callClosed';

export function compileValueGrammar(grammar: ValueGrammar): CompiledValueGrammar {
  const { close, header, notInHeader = ['<', '\n'] } = grammar;
  return {
    ...grammar,
    inValue: new MarkerSet([
      ...(typeof close === 'string' ? [close] : []),
      header.open,
      ...grammar.callCloses,
    ]),
    inHeader: new MarkerSet([header.end, ...notInHeader]),
    followsValue: followers(grammar.afterValue, grammar.notAfterValue),
    followsCall: followers(grammar.afterCall),
  };
}

function followers(yes: readonly string[], no: readonly string[] = []): Followers {
  return { yes, all: new MarkerSet([...yes, ...no]) };
}

/**
 * Reads one value up to the closing tag that really closes it: one after which, white space
 * aside, a tag follows that may come next. Any other closing tag is part of the value.
 */
export class ValueReader {
  /** What stood between the fixed parts of the header that ended the value. */
  header = '';
  private phase: 'value' | 'close' | 'afterClose' | 'afterCallClose' | 'header' = 'value';
  /** Offset of the tag that may close the value. */
  end = 0;
  private lastCode = 0;
  private close = '';
  private readonly machine: Machine;
  private readonly grammar: CompiledValueGrammar;
  private readonly writer: ParameterWriter;
  private readonly nameOf: (header: string) => string | null;

  constructor(
    machine: Machine,
    grammar: CompiledValueGrammar,
    writer: ParameterWriter,
    nameOf: (header: string) => string | null,
  ) {
    this.machine = machine;
    this.grammar = grammar;
    this.writer = writer;
    this.nameOf = nameOf;
  }

  /** Reads the value of the parameter that the writer has begun. */
  begin(): void {
    const { grammar } = this;
    this.phase = 'value';
    this.lastCode = 0;
    this.close =
      typeof grammar.close === 'string' ? grammar.close : grammar.close(this.writer.name);
  }

  read(): ValueEnd {
    for (;;) {
      const end = this.step();
      if (end !== 'again') return end;
    }
  }

  private step(): ValueEnd | 'again' {
    switch (this.phase) {
      case 'value':
        return this.readValue();
      case 'close':
        return this.readClose();
      case 'header':
        return this.readHeader();
      case 'afterClose':
        return this.readAfter(this.grammar.followsValue, 'closed');
      case 'afterCallClose':
        return this.readAfter(this.grammar.followsCall, 'callClosed');
    }
  }

  private readValue(): ValueEnd | 'again' {
    const { machine, grammar } = this;
    const { text, pos } = machine;
    const marker = machine.seek(grammar.inValue);
    this.add(text.slice(pos, machine.pos));
    if (!marker) return 'more';
    this.end = machine.offset;
    machine.pos += marker.length;
    if (marker === this.close) this.phase = 'afterClose';
    else if (marker !== grammar.header.open) this.phase = 'afterCallClose';
    else if (typeof grammar.close === 'string') this.beginHeader();
    else this.phase = 'close';
    return 'again';
  }

  /** A closing tag that depends on the name, from behind what it has in common with a header. */
  private readClose(): ValueEnd | 'again' {
    const { machine, close, end } = this;
    const { text, pos, offset } = machine;
    const rest = close.slice(offset - end, offset - end + text.length - pos);
    if (!text.startsWith(rest, pos)) {
      machine.rewind(end + this.grammar.header.open.length);
      this.beginHeader();
      return 'again';
    }
    machine.pos += rest.length;
    if (machine.offset - end < close.length) return 'more';
    this.phase = 'afterClose';
    return 'again';
  }

  /** The fixed part of a header ends at the cursor: text, unless it began a line. */
  private beginHeader(): void {
    this.phase = 'header';
    if (this.lastCode !== 10) this.backToValue();
  }

  private add(piece: string): void {
    if (piece === '') return;
    this.lastCode = piece.charCodeAt(piece.length - 1);
    this.writer.addValue(piece);
  }

  private backToValue(): 'again' {
    this.phase = 'value';
    this.add(this.machine.since(this.end));
    return 'again';
  }

  private readAfter(follows: Followers, end: ValueEnd): ValueEnd | 'again' {
    const { machine } = this;
    if (!machine.skipSpace()) return machine.isLast ? end : 'more';
    const next = machine.match(follows.all);
    if (next === undefined) return 'more';
    return next !== null && follows.yes.includes(next) ? end : this.backToValue();
  }

  /** A header at the start of a line ends the value if it is whole and names another parameter. */
  private readHeader(): ValueEnd | 'again' {
    const { machine, grammar } = this;
    const marker = machine.seek(grammar.inHeader);
    if (marker === undefined) return 'more';
    if (marker !== grammar.header.end) return this.backToValue();
    this.header = machine.since(this.end + grammar.header.open.length);
    const name = this.nameOf(this.header);
    if (name === null || name === this.writer.name) return this.backToValue();
    machine.pos += marker.length;
    return 'header';
  }
}

/** Whether a name may stand in a tag: no white space, no angle brackets. */
export function isTagName(name: string): boolean {
  if (name === '') return false;
  for (let index = 0; index < name.length; index += 1) {
    const code = name.charCodeAt(index);
    if (isSpace(code) || code === 60 || code === 62) return false;
  }
  return true;
}
