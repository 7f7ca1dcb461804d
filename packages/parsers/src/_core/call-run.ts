import { hasNameAndArguments } from './cut-envelope.ts';
import { EnvelopeReader } from './envelope.ts';
import type { BlockReader, OpenBlock, Step } from './format.ts';
import type { Machine } from './machine.ts';
import { MarkerSet } from './markers.ts';
import { openBraces } from './open-braces.ts';

/** Calls as JSON objects in plain text, one after the other. */
export interface CallRunGrammar {
  /** Markers that may announce a run. */
  readonly tags: readonly string[];
  /** Markers that may close one. */
  readonly closers: readonly string[];
  /** Tokens that a broken call never goes beyond. */
  readonly endOfTurn: readonly string[];
}

/** What the readers of one text know together. */
interface RunState {
  /** Whether the text stands in a Markdown code fence. */
  isInFence: boolean;
  /** Offsets of braces that were still open where an object around them broke. */
  readonly broken: Set<number>;
}

interface CompiledGrammar {
  readonly closers: MarkerSet;
  readonly tags: MarkerSet;
  readonly stops: MarkerSet;
  readonly states: WeakMap<Machine, RunState>;
}

const fence = '```';
/** What may stand behind a bracket of a call; the empty text is in both: the window ends there. */
const mayFollow: Readonly<Record<string, string>> = { '{': '" \t\n\r', '[': '{ \t\n\r' };

/** The `blocks` and `candidates` of a format whose calls need no marker. */
export function callRuns(grammar: CallRunGrammar): {
  blocks: Record<string, OpenBlock>;
  candidates: Record<string, OpenBlock>;
} {
  const { tags, closers, endOfTurn } = grammar;
  const compiled: CompiledGrammar = {
    closers: new MarkerSet(closers),
    tags: new MarkerSet(tags),
    stops: new MarkerSet([...closers, ...tags, ...endOfTurn]),
    states: new WeakMap(),
  };
  const tagged: OpenBlock = (machine, start, marker) =>
    new CallRunReader(machine, compiled, stateOf(compiled, machine), start, marker.length);
  const bare: OpenBlock = (machine, start, bracket) => {
    const next = machine.character;
    if (!mayFollow[bracket]?.includes(next)) return null;
    const state = stateOf(compiled, machine);
    if (machine.inertUntil > start || state.broken.delete(start)) return null;
    machine.rewind(start);
    return new CallRunReader(machine, compiled, state, start, 0);
  };
  const toggleFence: OpenBlock = (machine) => {
    const state = stateOf(compiled, machine);
    state.isInFence = !state.isInFence;
    return null;
  };
  return {
    blocks: Object.fromEntries(tags.map((tag) => [tag, tagged])),
    candidates: { '{': bare, '[': bare, [fence]: toggleFence },
  };
}

function stateOf({ states }: CompiledGrammar, machine: Machine): RunState {
  const known = states.get(machine);
  if (known !== undefined) return known;
  const state: RunState = { isInFence: false, broken: new Set() };
  states.set(machine, state);
  return state;
}

type Phase = 'open' | 'object' | 'between' | 'resync';

/** Reads calls until something else than a separator and another call comes. */
class CallRunReader implements BlockReader {
  #phase: Phase = 'open';
  #hasBracket = false;
  #hasSeparator = false;
  /** Behind the last call; what follows it is text unless another call comes. */
  #end = -1;
  #envelope: EnvelopeReader;
  readonly #machine: Machine;
  readonly #grammar: CompiledGrammar;
  readonly #state: RunState;
  readonly #start: number;
  readonly #tagLength: number;

  constructor(
    machine: Machine,
    grammar: CompiledGrammar,
    state: RunState,
    start: number,
    tagLength: number,
  ) {
    this.#machine = machine;
    this.#grammar = grammar;
    this.#state = state;
    this.#start = start;
    this.#tagLength = tagLength;
    this.#envelope = this.#newEnvelope();
  }

  #newEnvelope(): EnvelopeReader {
    return new EnvelopeReader(this.#machine, undefined, this.#tagLength > 0);
  }

  step(): Step {
    switch (this.#phase) {
      case 'open':
        return this.#readOpen();
      case 'object':
        return this.#readObject();
      case 'between':
        return this.#readBetween();
      case 'resync':
        return this.#readResync();
    }
  }

  cut(): void {
    const machine = this.#machine;
    const envelope = this.#envelope;
    const isObject = this.#phase === 'object';
    const isCall = isObject && hasNameAndArguments(envelope) && this.#isAllowed(envelope.name);
    const isTagged = this.#tagLength > 0 && (isObject || this.#end < 0);
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
    const name = this.#phase === 'open' ? undefined : this.#envelope.name;
    return name === undefined ? {} : { name };
  }

  /** In a code fence only calls of given tools count: the others are examples. */
  #isAllowed(name: string | undefined): boolean {
    const { tools } = this.#machine.options;
    if (!this.#state.isInFence || this.#tagLength > 0) return true;
    return tools?.some((tool) => tool.function.name === name) === true;
  }

  /** What was read since the last call, or since the start, is no call. */
  #giveUp(): Step {
    const machine = this.#machine;
    if (this.#end >= 0) {
      machine.rewind(this.#end);
      machine.endBlock();
    } else if (this.#tagLength > 0) machine.strayBlock(this.#start, this.#tagLength);
    else machine.textBlock(this.#start, 1);
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
    this.#phase = 'object';
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
    this.#phase = 'between';
  }

  /** The object breaks here, and so would each object in it that is still open. */
  #breakOff(): Step {
    const machine = this.#machine;
    const envelope = this.#envelope;
    if (this.#tagLength > 0 && machine.match(this.#grammar.closers) === undefined) return 'more';
    if (this.#tagLength > 0) return this.#readEarlyCloser();
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
      this.#phase = 'open';
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
    this.#phase = 'resync';
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
