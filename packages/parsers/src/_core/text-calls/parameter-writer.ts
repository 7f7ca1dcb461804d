import { escapedText, quoted } from '../json/quoted.ts';
import { wholeJson } from '../json/whole-json.ts';
import type { Machine } from '../machine.ts';
import { type Coerced, coerce } from './coerce.ts';
import { type JsonType, parametersOf, typesOf } from './schema.ts';

/** How a value says its own type: `string` is raw text, `json` is JSON; null = the schema decides. */
export type OwnType = 'string' | 'json' | null;

/**
 * Writes the arguments of a call whose values are text, as compact JSON, piece by piece. Values
 * that can only be strings flow as they arrive; all others wait for their end.
 */
export class ParameterWriter {
  callName = '';
  /** Name of the parameter being read. */
  name = '';
  isRepaired = false;
  /** All the arguments came as one JSON object. */
  isWhole = false;
  private start = 0;
  private valueStart = 0;
  private types: ReadonlySet<JsonType> | null = null;
  private ownType: OwnType = null;
  private readonly names = new Set<string>();
  private isDuplicate = false;
  private isFlowing = false;
  /** What of a flowing value was not sent on. */
  private rest = '';
  private isAtStart = true;
  /** The value of a parameter that may turn out to be all the arguments. */
  private held: string | null = null;
  private isHolding = false;
  private readonly machine: Machine;
  /** One line break at each end of a value is markup. */
  private readonly trimsLines: boolean;
  /** A lone parameter `arguments` that the schema does not know holds all the arguments. */
  private readonly unwraps: boolean;

  constructor(machine: Machine, trimsLines: boolean, unwraps = false) {
    this.machine = machine;
    this.trimsLines = trimsLines;
    this.unwraps = unwraps;
  }

  beginCall(name: string, start: number): void {
    this.callName = name;
    this.start = start;
    this.names.clear();
    this.isRepaired = this.isWhole = false;
    this.held = null;
    this.machine.startCall(name, null, start);
  }

  beginParameter(name: string, ownType: OwnType = null): void {
    this.name = name;
    this.ownType = ownType;
    this.types = typesOf(parametersOf(this.machine.options.tools, this.callName), name);
    this.isDuplicate = this.names.has(name);
    this.rest = '';
    this.isAtStart = true;
    this.valueStart = this.machine.offset;
    this.isFlowing = false;
    this.isHolding = this.mayBeAll;
    if (this.isDuplicate) return;
    this.releaseHeld();
    const key = `${this.isEmpty ? '{' : ','}${JSON.stringify(name)}:`;
    this.names.add(name);
    if (this.isHolding) return;
    this.machine.addArguments(key);
    this.isFlowing = this.machine.isIncremental && this.isStringOnly;
    if (this.isFlowing) this.machine.addArguments('"');
  }

  /** Whether no argument has come yet. */
  get isEmpty(): boolean {
    return this.names.size === 0 && !this.isWhole;
  }

  /** All the arguments as one JSON object in place of parameters. */
  addWhole(json: string): void {
    this.machine.addArguments(json);
    this.isWhole = this.isRepaired = true;
  }

  private get mayBeAll(): boolean {
    const isFirst = this.unwraps && this.isEmpty && this.name === 'arguments';
    return isFirst && this.types === null && this.ownType !== 'string';
  }

  /** The held value is an ordinary parameter after all. */
  private releaseHeld(): void {
    if (this.held !== null) this.machine.addArguments(`{"arguments":${this.held}`);
    this.held = null;
  }

  private get isStringOnly(): boolean {
    if (this.ownType !== null) return this.ownType === 'string';
    return this.types?.size === 1 && this.types.has('string');
  }

  addValue(piece: string): void {
    if (this.isFlowing) this.flow(this.rest + piece);
  }

  /** Sends the value on, apart from a line break that may turn out to be the last one. */
  private flow(given: string): void {
    let text = given;
    if (this.isAtStart && this.trimsLines) {
      this.rest = text;
      if (text === '\r' || text === '') return;
      text = withoutFirstLineBreak(text);
    }
    this.isAtStart = false;
    const end = this.trimsLines ? lengthWithoutLastLineBreak(text) : text.length;
    this.machine.addArguments(escapedText(text.slice(0, end)));
    this.rest = text.slice(end);
  }

  /** The value ended at this offset. */
  endParameter(end: number): void {
    const { machine } = this;
    if (this.isDuplicate) this.report('duplicate_key');
    else if (this.isFlowing) machine.addArguments(`${escapedText(this.trimmed(this.rest))}"`);
    else {
      const value = this.typedValue(this.trimmed(machine.since(this.valueStart, end)));
      if (this.isHolding) this.held = value;
      else machine.addArguments(value);
    }
  }

  private trimmed(value: string): string {
    if (!this.trimsLines) return value;
    const text = this.isAtStart ? withoutFirstLineBreak(value) : value;
    return text.slice(0, lengthWithoutLastLineBreak(text, true));
  }

  private typedValue(text: string): string {
    if (this.ownType === 'string') return quoted(text);
    const { json, isFailed } = this.ownType === 'json' ? asJson(text) : coerce(text, this.types);
    if (isFailed) this.report('coercion_failed');
    return json;
  }

  private report(code: 'duplicate_key' | 'coercion_failed'): void {
    const details = { name: this.callName, parameter: this.name };
    this.machine.report(code, this.valueStart, details);
  }

  endCall(): void {
    const { machine } = this;
    if (this.held?.startsWith('{')) this.addWhole(this.held);
    else this.releaseHeld();
    if (!this.isWhole) machine.addArguments(this.isEmpty ? '{}' : '}');
    machine.endCall();
    if (!this.isRepaired) return;
    machine.report('repaired_call', this.start, { name: this.callName });
  }
}

function asJson(text: string): Coerced {
  const json = wholeJson(text);
  return { json: json ?? quoted(text), isFailed: json === null };
}

function withoutFirstLineBreak(text: string): string {
  if (text.startsWith('\n')) return text.slice(1);
  return text.startsWith('\r\n') ? text.slice(2) : text;
}

/** A lone `\r` counts only while a `\n` may still follow it. */
function lengthWithoutLastLineBreak(text: string, isEnd = false): number {
  if (text.endsWith('\r\n')) return text.length - 2;
  if (text.endsWith('\n') || (!isEnd && text.endsWith('\r'))) return text.length - 1;
  return text.length;
}
