import type { Machine } from './machine.ts';
import { type MarkerSet, markersOf } from './markers.ts';
import type { ParameterWriter } from './parameter-writer.ts';
import { isSpace } from './whitespace.ts';

/** The tags around a value. Of an opening tag its fixed part is enough. */
export interface ValueGrammar {
  /** Closes the value. */
  readonly close: string;
  /** Fixed part of the header of a parameter, and what ends the header. */
  readonly header: Readonly<{ open: string; end: string }>;
  /** Closes the call. */
  readonly callClose: string;
  /** Tags that may follow a value: next parameter, end of call or block, next call. */
  readonly afterValue: readonly string[];
  /** Tags that may follow a call: end of block, next call. */
  readonly afterCall: readonly string[];
}

export interface CompiledValueGrammar extends ValueGrammar {
  readonly inValue: MarkerSet<string>;
  readonly inHeader: MarkerSet<string>;
  readonly followsValue: MarkerSet<string>;
  readonly followsCall: MarkerSet<string>;
}

/** How a value ended; `header`: at the header of another parameter, whose text is in `header`. */
export type ValueEnd = 'more' | 'closed' | 'header' | 'callClosed';

export function compileValueGrammar(grammar: ValueGrammar): CompiledValueGrammar {
  return {
    ...grammar,
    inValue: markersOf([grammar.close, grammar.header.open, grammar.callClose]),
    inHeader: markersOf([grammar.header.end, '<', '\n']),
    followsValue: markersOf(grammar.afterValue),
    followsCall: markersOf(grammar.afterCall),
  };
}

/**
 * Reads one value up to the closing tag that really closes it: one after which, white space
 * aside, a tag follows that may come next. Any other closing tag is part of the value.
 */
export class ValueReader {
  /** What stood between the fixed parts of the header that ended the value. */
  header = '';
  private phase: 'value' | 'afterClose' | 'afterCallClose' | 'header' = 'value';
  /** A tag, and the white space after it, that may belong to the value. */
  private held = '';
  private lastCode = 0;
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

  begin(): void {
    this.phase = 'value';
    this.held = '';
    this.lastCode = 0;
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
    const { text, pos, isLast } = machine;
    const found = grammar.inValue.seek(text, pos, isLast);
    this.add(text.slice(pos, found));
    machine.pos = found;
    const marker = grammar.inValue.at(text, found, isLast)?.text;
    if (marker === undefined) return 'more';
    if (marker === grammar.header.open && this.lastCode !== 10) this.add(marker);
    else {
      this.held = marker;
      this.phase =
        marker === grammar.close
          ? 'afterClose'
          : marker === grammar.callClose
            ? 'afterCallClose'
            : 'header';
    }
    machine.pos += marker.length;
    return 'again';
  }

  private add(piece: string): void {
    if (piece === '') return;
    this.lastCode = piece.charCodeAt(piece.length - 1);
    this.writer.addValue(piece);
  }

  private backToValue(): 'again' {
    const held = this.held;
    this.held = '';
    this.phase = 'value';
    this.add(held);
    return 'again';
  }

  private readAfter(follows: MarkerSet<string>, end: ValueEnd): ValueEnd | 'again' {
    const { machine } = this;
    const from = machine.pos;
    const hasText = machine.skipSpace();
    this.held += machine.text.slice(from, machine.pos);
    if (!hasText) return machine.isLast ? end : 'more';
    if (follows.at(machine.text, machine.pos, machine.isLast) !== null) return end;
    if (!machine.isLast && follows.isCut(machine.text, machine.pos)) return 'more';
    return this.backToValue();
  }

  /** A header at the start of a line ends the value if it is whole and names another parameter. */
  private readHeader(): ValueEnd | 'again' {
    const { machine, grammar } = this;
    const from = machine.pos;
    machine.pos = grammar.inHeader.seek(machine.text, from, machine.isLast);
    this.held += machine.text.slice(from, machine.pos);
    const marker = grammar.inHeader.at(machine.text, machine.pos, machine.isLast)?.text;
    if (marker === undefined) return machine.isLast ? this.backToValue() : 'more';
    if (marker !== grammar.header.end) return this.backToValue();
    this.header = this.held.slice(grammar.header.open.length);
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
