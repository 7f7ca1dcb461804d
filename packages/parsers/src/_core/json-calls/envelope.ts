import { JsonScanner, type ScanStatus } from '../json/json-scanner.ts';
import { argumentsText, decodeString, type JsonPart } from '../json/json-text.ts';
import type { Machine } from '../machine.ts';
import { lengthWithoutTrailingSpace } from '../whitespace.ts';

/** Keys of a call object; of several the first one that is present wins. */
export interface CallKeys {
  readonly name: readonly string[];
  readonly arguments: readonly string[];
}

/** `{"name": ..., "arguments": ...}`, with `parameters` as the second choice. */
export const usualKeys: CallKeys = { name: ['name'], arguments: ['arguments', 'parameters'] };

/**
 * Reads one call object and hands its call over when the object is complete. In incremental
 * delivery the arguments flow once the name is known and no better key can still come.
 */
export class EnvelopeReader {
  /** Offset of the object's opening brace; in an object that holds several calls, where one begins. */
  start = 0;
  /** Behind the last call of an object that holds several; -1 when there is none. */
  deliveredUntil = -1;
  /** False for an element of a list that is something else. */
  isObject = true;
  /** The key of the member that is being read. */
  key = '';
  protected isFlowing = false;
  /** The complete members, the first of each key. */
  protected readonly members: Map<string, JsonPart> = new Map();
  readonly scanner: JsonScanner;
  protected readonly machine: Machine;
  readonly #keys: CallKeys;
  readonly #mayFlow: boolean;

  constructor(machine: Machine, keys: CallKeys = usualKeys, mayFlow = true) {
    this.machine = machine;
    this.#keys = keys;
    this.#mayFlow = mayFlow && machine.isIncremental;
    this.scanner = new JsonScanner(machine, machine.options, 1);
  }

  /** The object stands under the cursor. */
  begin(): void {
    const { machine } = this;
    this.start = machine.offset;
    this.isObject = machine.character === '{';
  }

  /** The name, when it is known and usable. */
  get name(): string | undefined {
    return this.nameIn(this.#firstOf(this.#keys.name));
  }

  /** The arguments, once they are complete. */
  get arguments(): JsonPart | undefined {
    return this.#firstOf(this.#keys.arguments);
  }

  #firstOf(keys: readonly string[]): JsonPart | undefined {
    for (const key of keys) {
      const found = this.members.get(key);
      if (found) return found;
    }
    return undefined;
  }

  scan(): ScanStatus {
    const { scanner } = this;
    for (;;) {
      const status = scanner.scan();
      if (status === 'part' && scanner.isKey) this.key = decodeString(scanner.take());
      else {
        this.#flow();
        if (status !== 'part') return status;
        this.endValue();
      }
    }
  }

  /** Ends an object that lacks only closing characters. False: more than that is missing. */
  closeMissing(): boolean {
    const isClosed = this.scanner.closeMissing();
    if (isClosed) {
      this.#flow();
      this.endValue();
    }
    return isClosed;
  }

  /** Hands the call of the complete object over, or says why there is none. */
  deliver(): void {
    if (this.isObject) this.handOver(this.arguments);
    else this.machine.dropCall('malformed_call', this.start);
  }

  reportRepair(): void {
    this.machine.report('repaired_call', this.start, { name: this.name });
  }

  /** Ends the call with these arguments, if it can be one. */
  protected handOver(value: JsonPart | undefined): void {
    const { machine, name, start } = this;
    const text = this.isFlowing || !name ? '' : argumentsText(machine, value, start);
    if (!name) machine.dropCall('missing_name', start);
    else if (text === null) machine.dropCall('invalid_arguments', start, { name });
    else {
      if (this.isFlowing) machine.endCall();
      else machine.call(name, this.nativeId, text, start);
      if (this.scanner.isRepaired) this.reportRepair();
    }
  }

  /** A value is complete. */
  protected endValue(): void {
    const { key, members, scanner } = this;
    if (this.isObject && !members.has(key))
      members.set(key, { kind: scanner.kind, text: scanner.take() });
  }

  /** The id that the object brings. */
  protected get nativeId(): string | null {
    return null;
  }

  /** Whether the value that is being read is the arguments for sure. */
  protected get isArguments(): boolean {
    return this.key === this.#keys.arguments[0] && !this.members.has(this.key);
  }

  /** The string in a member, when a call may be named so. */
  protected nameIn(found: JsonPart | undefined): string | undefined {
    const name = found?.kind === '"' ? decodeString(found.text) : '';
    return lengthWithoutTrailingSpace(name) ? name : undefined;
  }

  #flow(): void {
    const { machine, scanner } = this;
    if (!this.#mayFlow || scanner.kind !== '{' || !this.isArguments) return;
    const { name } = this;
    if (name === undefined) return;
    if (!this.isFlowing) machine.startCall(name, this.nativeId, this.start);
    this.isFlowing = true;
    machine.addArguments(scanner.take());
  }
}
