import type { BlockReader, Step } from '../format.ts';
import { openBraces } from '../json/open-braces.ts';
import type { Machine } from '../machine.ts';
import type { CompiledCallRun, RunState } from './call-run-grammar.ts';
import { hasNameAndArguments } from './cut-envelope.ts';
import { EnvelopeReader } from './envelope.ts';

/** Reads calls until something else than a separator and another call comes. */
export class CallRunReader implements BlockReader {
  /** Reads the part that comes next. */
  #next: () => Step = this.#readOpen;
  #hasBracket = false;
  #hasSeparator = false;
  /** Behind the last call; what follows it is text unless another call comes. */
  #end = -1;
  #envelope: EnvelopeReader;
  readonly #machine: Machine;
  readonly #grammar: CompiledCallRun;
  readonly #state: RunState;
  readonly #start: number;
  readonly #marker: string;
  /** Behind a tag, not a bare bracket. */
  readonly #isTagged: boolean;

  constructor(
    machine: Machine,
    grammar: CompiledCallRun,
    state: RunState,
    start: number,
    marker: string,
  ) {
    this.#machine = machine;
    this.#grammar = grammar;
    this.#state = state;
    this.#start = start;
    this.#marker = marker;
    this.#isTagged = grammar.tags.match(marker, 0, true) !== null;
    this.#envelope = this.#newEnvelope();
  }

  #newEnvelope(): EnvelopeReader {
    return new EnvelopeReader(this.#machine, undefined, this.#isTagged);
  }

  step(): Step {
    return this.#next();
  }

  cut(): void {
    const machine = this.#machine;
    const envelope = this.#envelope;
    const isObject = this.#next === this.#readObject;
    const isCall = isObject && hasNameAndArguments(envelope) && this.#isAllowed(envelope.name);
    const isTagged = this.#isTagged && (isObject || this.#end < 0);
    if (
      isTagged &&
      isObject &&
      envelope.scanner.isInString &&
      machine.holds(this.#grammar.stops, envelope.start)
    )
      this.#resync();
    else if (isTagged || isCall) machine.truncate(this.#callStart, this.#named());
    else {
      machine.inertUntil = machine.offset;
      this.#giveUp();
    }
  }

  get #callStart(): number {
    return this.#end < 0 ? this.#start : this.#envelope.start;
  }

  #named(): { name?: string } {
    const name = this.#next === this.#readOpen ? undefined : this.#envelope.name;
    return name === undefined ? {} : { name };
  }

  /** In a code fence only calls of given tools count: the others are examples. */
  #isAllowed(name: string | undefined): boolean {
    const { tools } = this.#machine.options;
    if (!this.#state.isInFence || this.#isTagged) return true;
    return tools.some((tool) => tool.function.name === name);
  }

  /** What was read since the last call, or since the start, is no call. */
  #giveUp(): Step {
    const machine = this.#machine;
    if (this.#end >= 0) {
      machine.rewind(this.#end);
      machine.endBlock();
    } else if (this.#isTagged) machine.strayBlock(this.#start, this.#marker);
    else machine.textBlock(this.#start, this.#marker);
    return 'again';
  }

  #readOpen(): Step {
    const machine = this.#machine;
    if (!machine.skipSpace()) return 'more';
    const character = machine.character;
    if (character === '{') return this.#beginObject();
    if (character !== '[' || this.#hasBracket) return this.#giveUp();
    machine.pos += 1;
    this.#hasBracket = true;
    return 'again';
  }

  #beginObject(): Step {
    const { inertUntil, offset } = this.#machine;
    if (inertUntil > offset || this.#state.broken.has(offset)) return this.#giveUp();
    if (this.#end >= 0) this.#envelope = this.#newEnvelope();
    this.#envelope.begin();
    this.#next = this.#readObject;
    return 'again';
  }

  #readObject(): Step {
    const machine = this.#machine;
    const envelope = this.#envelope;
    const status = envelope.scan();
    if (status === 'more') return 'more';
    if (status === 'error') return this.#breakOff();
    const { name } = envelope;
    const hasBoth = name !== undefined && (envelope.arguments?.kind ?? 'n') !== 'n';
    if (!hasBoth || !this.#isAllowed(name)) {
      machine.inertUntil = machine.offset;
      return this.#giveUp();
    }
    machine.beginBlock();
    envelope.deliver();
    this.#endCall();
    this.#hasSeparator = false;
    return 'again';
  }

  #endCall(): void {
    this.#end = this.#machine.offset;
    this.#next = this.#readBetween;
  }

  /** The object breaks here, and so would each object in it that is still open. */
  #breakOff(): Step {
    const machine = this.#machine;
    const envelope = this.#envelope;
    if (this.#isTagged && machine.match(this.#grammar.closers) === undefined) return 'more';
    if (this.#isTagged) return this.#readEarlyCloser();
    const { broken } = this.#state;
    for (const index of openBraces(machine.since(envelope.start)))
      broken.add(envelope.start + index);
    if (this.#start === envelope.start) broken.delete(this.#start);
    return this.#giveUp();
  }

  /** Only brackets may be missing before a closing marker. */
  #readEarlyCloser(): Step {
    const closer = this.#machine.match(this.#grammar.closers);
    if (!closer || !this.#envelope.closeMissing()) return this.#resync();
    this.#envelope.deliver();
    this.#endCall();
    return 'again';
  }

  #readBetween(): Step {
    const machine = this.#machine;
    if (!machine.skipSpace()) return machine.isLast ? this.#giveUp() : 'more';
    const character = machine.character;
    if (character === '{') return this.#beginObject();
    if (character === ',' || character === ';') {
      machine.pos += 1;
      this.#hasSeparator = true;
    } else if (character === ']' && !this.#hasSeparator) {
      machine.pos += 1;
      this.#endCall();
    } else if (character === '[') {
      this.#hasBracket = false;
      this.#next = this.#readOpen;
    } else return this.#readEnd();
    return 'again';
  }

  /** The separators before another tag are markup as well. */
  #readEnd(): Step {
    const tag = this.#machine.match(this.#grammar.tags);
    if (tag === undefined) return 'more';
    if (tag === null) return this.#giveUp();
    this.#machine.endBlock();
    return 'again';
  }

  #resync(): Step {
    this.#machine.rewind(this.#envelope.start);
    this.#next = this.#readResync;
    return 'again';
  }

  /** A broken call behind a tag ends with a closing marker or before the next tag. */
  #readResync(): Step {
    const machine = this.#machine;
    const marker = machine.seek(this.#grammar.stops);
    if (marker === undefined) return 'more';
    const isCloser = marker !== null && this.#grammar.closers.match(marker, 0, true) !== null;
    if (isCloser) machine.pos += marker.length;
    machine.beginBlock();
    machine.dropCall('malformed_call', this.#callStart, this.#named());
    machine.endBlock();
    return 'again';
  }
}
