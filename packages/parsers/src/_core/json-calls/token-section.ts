import type { BlockReader, OpenBlock, Step } from '../format.ts';
import type { Machine } from '../machine.ts';
import type { MarkerSet } from '../markers.ts';
import { SectionFiller } from '../section-filler.ts';
import { trimSpace } from '../whitespace.ts';
import { ArgumentsReader } from './arguments.ts';
import {
  type CompiledTokenSection,
  compileTokenSection,
  fence,
  type TokenSectionGrammar,
} from './token-section-grammar.ts';

/** The readers of sections and of single calls, for `blocks` of a format. */
export function tokenSectionBlocks(
  grammar: TokenSectionGrammar,
): Readonly<Record<string, OpenBlock>> {
  const compiled = compileTokenSection(grammar);
  const open: OpenBlock = (machine, start, marker) =>
    new TokenSectionReader(machine, compiled, start, marker);
  return Object.fromEntries(
    [...grammar.sectionBegins, grammar.callBegin].map((marker) => [marker, open]),
  );
}

class TokenSectionReader implements BlockReader {
  /** Reads the part that comes next. */
  private next: () => Step = this.readSection;
  private isSection: boolean;
  private hasCall = false;
  private isFenced = false;
  private callStart: number;
  private bodyEnd = 0;
  private head = '';
  private piece = '';
  private call: ArgumentsReader;
  private readonly filler: SectionFiller;
  private readonly machine: Machine;
  private readonly compiled: CompiledTokenSection;

  constructor(machine: Machine, compiled: CompiledTokenSection, start: number, marker: string) {
    this.machine = machine;
    this.compiled = compiled;
    this.callStart = start;
    this.isSection = marker !== compiled.grammar.callBegin;
    this.call = new ArgumentsReader(machine, start);
    this.filler = new SectionFiller(machine);
    machine.beginBlock();
    if (!this.isSection) {
      machine.report('missing_wrapper', start);
      this.beginCall(start);
    }
  }

  step(): Step {
    return this.next();
  }

  cut(): void {
    const { machine } = this;
    if (this.next === this.readSection && this.hasCall) {
      this.filler.report();
      machine.endBlock();
      return;
    }
    const isJson = this.next === this.readJson;
    const bodyStart = this.callStart + this.compiled.grammar.callBegin.length;
    if (isJson && this.call.isInString && machine.holds(this.compiled.resync, bodyStart)) {
      machine.rewind(bodyStart);
      this.next = this.readResync;
      return;
    }
    const name = isJson ? { name: this.call.name } : {};
    machine.truncate(this.callStart, name);
  }

  private readSection(): Step {
    const { machine, compiled } = this;
    const found = this.filler.seek(compiled.inSection);
    if (!found) return 'more';
    this.filler.report();
    machine.pos += found.length;
    if (found === compiled.grammar.callBegin) this.beginCall(machine.offset - found.length);
    else machine.endBlock();
    return 'again';
  }

  /** Moves to the next of these markers; null when the window holds none. */
  private seek(markers: MarkerSet): string | null {
    const { machine } = this;
    const from = machine.pos;
    const marker = machine.seek(markers);
    this.piece += machine.text.slice(from, machine.pos);
    return marker ?? null;
  }

  private takePiece(): string {
    const piece = trimSpace(this.piece);
    this.piece = '';
    return piece;
  }

  private beginCall(start: number): void {
    this.callStart = start;
    this.piece = '';
    this.isFenced = false;
    this.next = this.readHead;
  }

  private readHead(): Step {
    const found = this.seek(this.compiled.inHead);
    if (found === null) return 'more';
    this.hasCall = true;
    this.head = this.takePiece();
    if (found !== this.compiled.grammar.separator) {
      this.drop('malformed_call');
      return 'again';
    }
    this.machine.pos += found.length;
    if (this.compiled.grammar.body === 'fenced') this.next = this.readName;
    else this.begin(this.compiled.grammar.readHead?.(this.head) ?? { name: this.head, id: null });
    return 'again';
  }

  private begin(head: Readonly<{ name: string; id: string | null }>): void {
    this.call = new ArgumentsReader(this.machine, this.callStart, head.name, head.id);
    this.next = this.readBody;
  }

  /** The name of a fenced call, up to its fence. */
  private readName(): Step {
    const { machine } = this;
    const { head, compiled } = this;
    const isEither = compiled.grammar.body === 'either';
    const found = this.seek(compiled.inName);
    if (found === null) return 'more';
    if (isEither && found !== fence) return this.drop('invalid_arguments');
    if (found === fence) {
      const isJson = machine.text.startsWith('json', machine.pos + 3);
      if (!isJson && !machine.isLast && machine.text.length < machine.pos + 7) return 'more';
      machine.pos += isJson ? 7 : 3;
      this.isFenced = true;
    }
    this.begin({ name: this.takePiece() || (isEither ? head : ''), id: null });
    return 'again';
  }

  private readBody(): Step {
    const { machine, compiled } = this;
    if (!machine.skipSpace()) return 'more';
    const { text, pos } = machine;
    if (!this.isFenced && compiled.grammar.body === 'either' && !'{["'.includes(text.charAt(pos))) {
      const marker = machine.match(compiled.resync);
      if (marker === undefined) return 'more';
      if (marker === null) {
        this.next = this.readName;
        return 'again';
      }
    }
    if (this.call.name === '') return this.drop('missing_name');
    const closer = machine.match(compiled.closers);
    if (closer === undefined) return 'more';
    this.next = this.readJson;
    if (closer !== null) {
      this.call.deliverEmpty();
      this.endJson();
    }
    return 'again';
  }

  private readJson(): Step {
    const status = this.call.scan();
    if (status === 'more') return 'more';
    if (status === 'error') return this.readError();
    this.call.deliver();
    this.endJson();
    return 'again';
  }

  private readError(): Step {
    const closer = this.machine.match(this.compiled.closers);
    if (closer === undefined) return 'more';
    if (closer !== null && this.call.closeMissing()) {
      this.call.deliver();
      this.endJson();
      return 'again';
    }
    return this.drop('invalid_arguments');
  }

  private endJson(): void {
    this.bodyEnd = this.machine.offset;
    this.next = this.isFenced ? this.readFenceEnd : this.readCallEnd;
  }

  private readFenceEnd(): Step {
    const { machine } = this;
    machine.skipSpace();
    const marker = machine.match(this.compiled.closers);
    if (marker === undefined) return 'more';
    if (marker === fence) machine.pos += 3;
    else if (marker === this.compiled.grammar.callEnd) this.call.reportRepair();
    this.next = this.readCallEnd;
    return 'again';
  }

  /** The end token; surplus closing brackets before it are forgiven. */
  private readCallEnd(): Step {
    const { machine, compiled } = this;
    const from = machine.pos;
    while (
      machine.skipSpace() &&
      machine.options.repair !== false &&
      isBracket(machine.text, machine.pos)
    )
      machine.pos += 1;
    const { text, pos } = machine;
    if (machine.match(compiled.resync) === undefined) {
      machine.pos = from;
      return 'more';
    }
    if (text.startsWith(compiled.grammar.callEnd, pos)) {
      if (trimSpace(text.slice(from, pos)) !== '') this.call.reportRepair();
      machine.pos += compiled.grammar.callEnd.length;
    } else machine.report('unclosed_call', this.callStart, {}, this.bodyEnd);
    this.endCall();
    return 'again';
  }

  private endCall(): void {
    if (this.isSection) this.next = this.readSection;
    else this.machine.endBlock();
    this.piece = '';
  }

  private dropCode: 'malformed_call' | 'invalid_arguments' | 'missing_name' = 'malformed_call';

  /** Looks for the end of a broken call, without knowledge of strings, from its beginning. */
  private drop(code: 'malformed_call' | 'invalid_arguments' | 'missing_name'): Step {
    this.dropCode = code;
    this.machine.rewind(this.callStart + this.compiled.grammar.callBegin.length);
    this.next = this.readResync;
    return 'again';
  }

  private readResync(): Step {
    const { machine, compiled } = this;
    const found = this.seek(compiled.resync);
    if (found === null && !machine.isLast) return 'more';
    if (found === compiled.grammar.callEnd) machine.pos += found.length;
    const { name } = this.call;
    machine.dropCall(this.dropCode, this.callStart, { name });
    this.endCall();
    return 'again';
  }
}

function isBracket(text: string, index: number): boolean {
  const character = text.charAt(index);
  return character === '}' || character === ']';
}
