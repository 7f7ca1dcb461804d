import { continueWith } from '../continue-with.ts';
import type { BlockReader, OpenBlock, Step } from '../format.ts';
import type { Machine } from '../machine.ts';
import { hasNameAndArguments } from './cut-envelope.ts';
import { EnvelopeReader } from './envelope.ts';
import { jsonBlock } from './json-block.ts';

/** A JSON array (or object) of calls without a marker. If one element is no call, it is text. */
export const bareCallArray: OpenBlock = callArray([]);

/** The same behind a marker that is text as well, such as a code fence, and closed by one. */
export function callArray(closers: readonly string[]): OpenBlock {
  const json = jsonBlock({ closers, openers: [] });
  return (machine, start, marker) => {
    if (machine.inertUntil > start) return null;
    return new CallArrayReader(machine, json, start, marker);
  };
}

type Phase = 'start' | 'item' | 'between';

/** Looks whether all elements are calls, then lets the reader of JSON blocks read them again. */
class CallArrayReader implements BlockReader {
  #phase: Phase = 'start';
  #isArray = false;
  #hasCall = false;
  #hasComma = false;
  #envelope: EnvelopeReader;
  readonly #machine: Machine;
  readonly #openJson: OpenBlock;
  readonly #start: number;
  readonly #marker: string;
  /** Behind the marker, which may be the first bracket itself. */
  readonly #bodyStart: number;

  constructor(machine: Machine, openJson: OpenBlock, start: number, marker: string) {
    this.#machine = machine;
    this.#openJson = openJson;
    this.#start = start;
    this.#marker = marker;
    const isBracket = marker === '[' || marker === '{';
    this.#bodyStart = isBracket ? start : start + marker.length;
    this.#envelope = new EnvelopeReader(machine, undefined, false);
    machine.rewind(this.#bodyStart);
  }

  step(): Step {
    return this.#phase === 'item' ? this.#readItem() : this.#readBetween();
  }

  /** Complete elements count, and one that is cut behind its name and the key of its arguments. */
  cut(): void {
    if (this.#hasCall || (this.#phase === 'item' && hasNameAndArguments(this.#envelope)))
      this.#accept();
    else this.#giveUp();
  }

  #giveUp(): Step {
    this.#machine.inertUntil = this.#machine.offset;
    this.#machine.textBlock(this.#start, this.#marker);
    return 'again';
  }

  #accept(): Step {
    const machine = this.#machine;
    machine.rewind(this.#bodyStart);
    continueWith(machine, this.#openJson, this.#start, machine.since(this.#start));
    return 'again';
  }

  #readBetween(): Step {
    const machine = this.#machine;
    if (!machine.skipSpace()) return 'more';
    const character = machine.character;
    const isItem = character === '{' && (this.#phase === 'start' || this.#hasComma);
    if (isItem) {
      if (this.#hasCall) this.#envelope = new EnvelopeReader(machine, undefined, false);
      this.#envelope.begin();
      this.#phase = 'item';
      this.#hasComma = false;
    } else if (character === '[' && this.#phase === 'start' && !this.#isArray) this.#isArray = true;
    else if (character === ',' && this.#hasCall && !this.#hasComma) this.#hasComma = true;
    else if (character === ']' && this.#hasCall && (!this.#hasComma || machine.options.repair))
      return this.#accept();
    else return this.#giveUp();
    if (!isItem) machine.pos += 1;
    return 'again';
  }

  #readItem(): Step {
    const envelope = this.#envelope;
    const status = envelope.scan();
    if (status === 'more') return 'more';
    const isCall = envelope.name !== undefined && '{"'.includes(envelope.arguments?.kind ?? 'none');
    if (status === 'error' || !isCall) return this.#giveUp();
    this.#hasCall = true;
    if (!this.#isArray) return this.#accept();
    this.#phase = 'between';
    return 'again';
  }
}
