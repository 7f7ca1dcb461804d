import { JsonScanner, type ScanStatus } from './json-scanner.ts';
import { argumentsText, decodeString, type JsonPart } from './json-text.ts';
import type { Machine } from './machine.ts';
import { trimSpace } from './whitespace.ts';

/** Keys of a call object, the first one that is present wins. */
export interface EnvelopeKeys {
  readonly name: readonly string[];
  readonly arguments: readonly string[];
  readonly id?: readonly string[];
  /** The member that some models write in place of the name's: a repair. */
  readonly spareName?: (members: ReadonlyMap<string, JsonPart>) => JsonPart | undefined;
  /** Every key is the name of a call and its value the arguments. Default false. */
  readonly areNames?: boolean;
}

/** `{"name": ..., "arguments": ...}`, with `parameters` as the second choice. */
export const usualKeys: EnvelopeKeys = { name: ['name'], arguments: ['arguments', 'parameters'] };

/**
 * Reads one call object and hands its call over when the object is complete. In incremental
 * delivery the arguments flow once the name is known and no better key can still come.
 */
export class EnvelopeReader {
  /** Offset of the object's opening brace. */
  start = 0;
  /** Behind the last call of an object that holds several; -1 when there is none. */
  deliveredUntil = -1;
  /** False for an element of a list that is something else. */
  isObject = true;
  #key = '';
  /** The complete members, the first of each key. */
  readonly #members = new Map<string, JsonPart>();
  #isFlowing = false;
  readonly #scanner: JsonScanner;
  readonly #machine: Machine;
  readonly #keys: EnvelopeKeys;
  readonly #mayFlow: boolean;

  constructor(machine: Machine, keys: EnvelopeKeys, mayFlow = true) {
    this.#machine = machine;
    this.#keys = keys;
    this.#mayFlow = mayFlow && machine.isIncremental;
    const { repair, maxDepth } = machine.options;
    this.#scanner = new JsonScanner(machine, repair, maxDepth, 1);
  }

  /** Starts at the opening brace under the cursor. */
  begin(): void {
    const machine = this.#machine;
    this.start = machine.offset;
    this.isObject = machine.text.charAt(machine.pos) === '{';
    this.#key = '';
    this.#members.clear();
    this.#isFlowing = false;
    this.#scanner.begin();
  }

  get isInString(): boolean {
    return this.#scanner.isInString;
  }

  /** The name, when it is known and usable. */
  get name(): string | undefined {
    if (this.#keys.areNames) return trimSpace(this.#key) === '' ? undefined : this.#key;
    const found = this.#find(this.#keys.name) ?? this.#spareName;
    const name = found?.kind === '"' ? decodeString(found.text) : '';
    return trimSpace(name) === '' ? undefined : name;
  }

  /** Whether both parts of a call were seen: what tells a cut call from other JSON. */
  get hasNameAndArguments(): boolean {
    const isAtArguments = this.#keys.arguments.includes(this.#key);
    return (
      this.name !== undefined && (this.#find(this.#keys.arguments) !== undefined || isAtArguments)
    );
  }

  /** Kind of the arguments (first character), or undefined. */
  get argumentsKind(): string | undefined {
    return this.#find(this.#keys.arguments)?.kind;
  }

  scan(): ScanStatus {
    for (;;) {
      const status = this.#scanner.scan();
      if (status === 'part' && this.#scanner.isKey) this.#key = decodeString(this.#scanner.take());
      else {
        if (this.#mayFlow) this.#flow();
        if (status !== 'part') return status;
        this.#endValue();
      }
    }
  }

  /** Ends an object that lacks only closing characters. False: more than that is missing. */
  closeMissing(): boolean {
    const isInValue = this.#scanner.depth > 1;
    if (!this.#scanner.closeMissing()) return false;
    if (isInValue) {
      if (this.#mayFlow) this.#flow();
      this.#endValue();
    }
    return true;
  }

  /** Hands the call of the complete object over, or says why there is none. */
  deliver(): void {
    const { start } = this;
    const isRepaired = this.#scanner.isRepaired || this.#spareName !== undefined;
    if (!this.isObject) this.#machine.dropCall('malformed_call', start);
    else {
      const isCall = this.#keys.areNames
        ? this.deliveredUntil > start || this.#handOver(undefined, undefined, start)
        : this.#handOver(this.name, this.#find(this.#keys.arguments), start);
      if (isCall && isRepaired) this.reportRepair();
    }
  }

  #handOver(name: string | undefined, value: JsonPart | undefined, start: number): boolean {
    const machine = this.#machine;
    if (name === undefined) {
      machine.dropCall('missing_name', start);
      return false;
    }
    const text = this.#isFlowing ? '' : argumentsText(machine, value, start);
    if (text === null) machine.dropCall('invalid_arguments', start, machine.offset, { name });
    else {
      if (!this.#isFlowing) machine.startCall(name, this.#nativeId(), start);
      machine.addArguments(text);
      machine.endCall();
      return true;
    }
    return false;
  }

  reportRepair(): void {
    const machine = this.#machine;
    const { name } = this;
    machine.report('repaired_call', this.start, machine.offset, { name });
  }

  get #spareName(): JsonPart | undefined {
    return this.#machine.options.repair ? this.#keys.spareName?.(this.#members) : undefined;
  }

  #find(keys: readonly string[] = []): JsonPart | undefined {
    const key = keys.find((candidate) => this.#members.has(candidate));
    return key === undefined ? undefined : this.#members.get(key);
  }

  #nativeId(): string | null {
    const id = this.#find(this.#keys.id);
    if (id === undefined) return null;
    return this.#machine.format.readId?.(id.kind === '"' ? decodeString(id.text) : id.text) ?? null;
  }

  #flow(): void {
    const keys = this.#keys;
    const members = this.#members;
    const key = this.#key;
    const scanner = this.#scanner;
    const machine = this.#machine;
    const isArguments = keys.areNames || (key === keys.arguments[0] && !members.has(key));
    if (!isArguments || scanner.kind !== '{') return;
    if (!this.#isFlowing) {
      const { name } = this;
      if (name === undefined || this.#spareName !== undefined) return;
      if (keys.id !== undefined && this.#find(keys.id) === undefined) return;
      machine.startCall(name, this.#nativeId(), Math.max(this.start, this.deliveredUntil));
      this.#isFlowing = true;
    }
    machine.addArguments(scanner.take());
  }

  #endValue(): void {
    const key = this.#key;
    const scanner = this.#scanner;
    if (!this.isObject || this.#members.has(key)) return;
    const value = { kind: scanner.kind, text: scanner.take() };
    if (!this.#keys.areNames) this.#members.set(key, value);
    else {
      this.#handOver(this.name, value, Math.max(this.start, this.deliveredUntil));
      this.#isFlowing = false;
      this.#key = '';
      this.deliveredUntil = this.#machine.offset;
    }
  }
}
