import type { BlockReader, Step } from '../format.ts';
import type { Machine } from '../machine.ts';
import { trimSpace } from '../whitespace.ts';
import { ArgumentsReader } from './arguments.ts';
import { type CompiledTokenSection, fence } from './token-section-grammar.ts';

type DropCode = 'malformed_call' | 'invalid_arguments' | 'missing_name';

/** Reads one call, from behind its begin token to behind its end token; what is around it goes on then. */
export class TokenCallReader implements BlockReader {
  isOver = false;
  /** Reads the part that comes next. */
  private next: () => Step = this.readHead;
  private isFenced = false;
  private bodyEnd = 0;
  /** Closing brackets too many stand behind the body. */
  private hasSurplus = false;
  private head = '';
  /** Where the head or the name of a fenced call begins. */
  private pieceStart: number;
  private dropCode: DropCode = 'malformed_call';
  private call: ArgumentsReader;
  private readonly machine: Machine;
  private readonly compiled: CompiledTokenSection;
  private readonly start: number;

  constructor(machine: Machine, compiled: CompiledTokenSection, start: number) {
    this.machine = machine;
    this.compiled = compiled;
    this.start = start;
    this.call = new ArgumentsReader(machine, start);
    this.pieceStart = this.bodyStart;
  }

  step(): Step {
    return this.next();
  }

  cut(): void {
    const { machine, compiled, call } = this;
    const isJson = this.next === this.readJson;
    if (isJson && call.isInString && machine.holds(compiled.resync, this.bodyStart))
      this.drop('invalid_arguments');
    else machine.truncate(this.start, isJson ? { name: call.name } : {});
  }

  private get bodyStart(): number {
    return this.start + this.compiled.grammar.callBegin.length;
  }

  /** What was read since a piece began. */
  private get piece(): string {
    return trimSpace(this.machine.since(this.pieceStart));
  }

  private readHead(): Step {
    const { grammar, inHead } = this.compiled;
    const found = this.machine.seek(inHead);
    if (!found) return 'more';
    if (found !== grammar.separator) return this.drop('malformed_call');
    this.head = this.piece;
    this.machine.pos += found.length;
    if (grammar.body === 'fenced') this.beginName();
    else this.begin(grammar.readHead?.(this.head) ?? { name: this.head, id: null });
    return 'again';
  }

  private begin(head: Readonly<{ name: string; id: string | null }>): void {
    this.call = new ArgumentsReader(this.machine, this.start, head.name, head.id);
    this.next = this.readBody;
  }

  private beginName(): void {
    this.pieceStart = this.machine.offset;
    this.next = this.readName;
  }

  /** The name of a fenced call, up to its fence. */
  private readName(): Step {
    const { machine } = this;
    const { head, compiled } = this;
    const isEither = compiled.grammar.body === 'either';
    const found = machine.seek(compiled.inName);
    if (!found) return 'more';
    if (isEither && found !== fence) return this.drop('invalid_arguments');
    const name = this.piece;
    if (found === fence) {
      const isJson = machine.text.startsWith('json', machine.pos + 3);
      if (!isJson && !machine.isLast && machine.text.length < machine.pos + 7) return 'more';
      machine.pos += isJson ? 7 : 3;
      this.isFenced = true;
    }
    this.begin({ name: name || (isEither ? head : ''), id: null });
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
        this.beginName();
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
    if (marker === fence) {
      machine.pos += fence.length;
      this.bodyEnd = machine.offset;
    } else if (marker === this.compiled.grammar.callEnd) this.call.reportRepair();
    this.next = this.readCallEnd;
    return 'again';
  }

  /** The end token; surplus closing brackets before it are forgiven. */
  private readCallEnd(): Step {
    const { machine, compiled } = this;
    while (machine.skipSpace() && machine.options.repair && isBracket(machine.character)) {
      machine.pos += 1;
      this.hasSurplus = true;
    }
    if (machine.match(compiled.resync) === undefined) return 'more';
    if (machine.text.startsWith(compiled.grammar.callEnd, machine.pos)) {
      if (this.hasSurplus) this.call.reportRepair();
      machine.pos += compiled.grammar.callEnd.length;
    } else {
      machine.rewind(this.bodyEnd);
      machine.report('unclosed_call', this.start);
    }
    this.isOver = true;
    return 'again';
  }

  /** Looks for the end of a broken call, without knowledge of strings, from its beginning. */
  private drop(code: DropCode): Step {
    this.dropCode = code;
    this.machine.rewind(this.bodyStart);
    this.next = this.readResync;
    return 'again';
  }

  private readResync(): Step {
    const { machine, compiled } = this;
    const found = machine.seek(compiled.resync);
    if (!found && !machine.isLast) return 'more';
    if (found === compiled.grammar.callEnd) machine.pos += found.length;
    machine.dropCall(this.dropCode, this.start, { name: this.call.name });
    this.isOver = true;
    return 'again';
  }
}

function isBracket(character: string): boolean {
  return character === '}' || character === ']';
}
