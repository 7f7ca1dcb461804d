import { JsonScanner, type ScanStatus } from './json-scanner.ts';
import { decodeString, objectText } from './json-text.ts';
import type { Machine } from './machine.ts';
import { trimSpace } from './whitespace.ts';

/** Keys of a call object, the first one that is present wins. */
export interface EnvelopeKeys {
  readonly name: readonly string[];
  readonly arguments: readonly string[];
  readonly id?: readonly string[];
}

/** `{"name": ..., "arguments": ...}`, with `parameters` as the second choice. */
export const usualKeys: EnvelopeKeys = { name: ['name'], arguments: ['arguments', 'parameters'] };

type Phase = 'open' | 'firstKey' | 'key' | 'colon' | 'value' | 'comma' | 'done';
type Role = 'name' | 'arguments' | 'id' | 'other';
interface Found {
  readonly rank: number;
  readonly kind: string;
  readonly text: string;
}

/**
 * Reads one call object and hands its call over when the object is complete. In incremental
 * delivery the arguments flow once the name is known and no better key can still come.
 */
export class EnvelopeReader {
  /** Offset of the object's opening brace. */
  start = 0;
  isRepaired = false;
  private phase: Phase = 'open';
  private key = '';
  private found: Partial<Record<Role, Found>> = {};
  private isFlowing = false;
  private readonly scanner: JsonScanner;
  private readonly machine: Machine;
  private readonly keys: EnvelopeKeys;
  private readonly mayFlow: boolean;

  constructor(machine: Machine, keys: EnvelopeKeys, mayFlow = true) {
    this.machine = machine;
    this.keys = keys;
    this.mayFlow = mayFlow && machine.isIncremental;
    this.scanner = new JsonScanner(
      machine.options.repair ?? true,
      (machine.options.maxDepth ?? 1000) - 1,
    );
  }

  /** Starts at the opening brace under the cursor. */
  begin(): void {
    this.start = this.machine.offset;
    this.isRepaired = false;
    this.phase = 'open';
    this.found = {};
    this.isFlowing = false;
  }

  get isInString(): boolean {
    return (
      (this.phase === 'key' || this.phase === 'firstKey' || this.phase === 'value') &&
      this.scanner.isInString
    );
  }

  /** The name, when it is known and usable. */
  get name(): string | undefined {
    const found = this.found.name;
    if (found?.kind !== '"') return undefined;
    const name = decodeString(found.text);
    return trimSpace(name) === '' ? undefined : name;
  }

  /** Whether both parts of a call were seen: what tells a cut call from other JSON. */
  get hasNameAndArguments(): boolean {
    const isAtArguments = this.phase === 'value' && this.roleOf(this.key) === 'arguments';
    return this.name !== undefined && (this.found.arguments !== undefined || isAtArguments);
  }

  /** Kind of the arguments (first character), or undefined. */
  get argumentsKind(): string | undefined {
    return this.found.arguments?.kind;
  }

  scan(): ScanStatus {
    const machine = this.machine;
    while (this.phase !== 'done') {
      const isScanning =
        this.phase === 'value' ||
        ((this.phase === 'key' || this.phase === 'firstKey') && this.key === '"');
      if (isScanning) {
        const status = this.scanPart();
        if (status !== 'done') return status;
      } else {
        if (!machine.skipSpace()) return 'more';
        if (!this.accept(machine.text.charAt(machine.pos))) return 'error';
      }
    }
    return 'done';
  }

  /** Ends an object that lacks only closing characters. False: more than that is missing. */
  closeMissing(): boolean {
    if (this.machine.options.repair === false) return false;
    if (this.phase === 'value') {
      if (!this.scanner.closeMissing()) return false;
      this.flow();
      this.endValue();
    }
    if (this.phase !== 'comma') return false;
    this.isRepaired = true;
    this.phase = 'done';
    return true;
  }

  /** Hands the call of the complete object over, or says why there is none. */
  deliver(): void {
    const { machine } = this;
    const name = this.name;
    if (name === undefined) {
      machine.dropCall(
        'missing_name',
        'a call without a usable name was dropped',
        this.start,
        machine.offset,
      );
      return;
    }
    if (this.isFlowing) machine.endCall();
    else if (!this.deliverHeld(name)) return;
    if (this.isRepaired) this.reportRepair(name);
  }

  reportRepair(name: string | undefined = this.name): void {
    const details = name === undefined ? {} : { name };
    this.machine.report(
      'repaired_call',
      'the JSON of a call was repaired',
      this.start,
      this.machine.offset,
      details,
    );
  }

  private deliverHeld(name: string): boolean {
    const text = this.argumentText();
    const { machine } = this;
    if (text === null) {
      const message = 'the arguments of a call are no JSON object';
      machine.dropCall('invalid_arguments', message, this.start, machine.offset, { name });
      return false;
    }
    machine.call(name, this.nativeId(), text, this.start);
    return true;
  }

  private nativeId(): string | null {
    const id = this.found.id;
    if (id === undefined) return null;
    return this.machine.format.readId?.(id.kind === '"' ? decodeString(id.text) : id.text) ?? null;
  }

  private argumentText(): string | null {
    const found = this.found.arguments;
    if (found === undefined || found.kind === 'n') return '{}';
    if (found.kind === '{') return found.text;
    if (found.kind !== '"') return null;
    const inner = trimSpace(decodeString(found.text));
    return inner === ''
      ? '{}'
      : objectText(
          inner,
          this.machine.options.repair ?? true,
          this.machine.options.maxDepth ?? 1000,
        );
  }

  private accept(character: string): boolean {
    switch (this.phase) {
      case 'open':
        this.phase = 'firstKey';
        this.key = '';
        return this.consume(character === '{');
      case 'firstKey':
      case 'key':
        if (character === '}') return this.endAtComma();
        if (character !== '"') return false;
        this.key = '"';
        this.scanner.begin();
        return true;
      case 'colon':
        this.phase = 'value';
        this.scanner.begin();
        return this.consume(character === ':');
      default:
        if (character === '}') return this.end();
        this.phase = 'key';
        this.key = '';
        if (character === ',') return this.consume(true);
        this.phase = 'comma';
        return false;
    }
  }

  private consume(isRight: boolean): boolean {
    if (isRight) this.machine.pos += 1;
    return isRight;
  }

  private end(): boolean {
    this.phase = 'done';
    return this.consume(true);
  }

  /** `{}` is an object, `{"a":1,}` one after a repair. */
  private endAtComma(): boolean {
    if (this.phase === 'key') {
      if (this.machine.options.repair === false) return false;
      this.isRepaired = true;
    }
    return this.end();
  }

  private scanPart(): ScanStatus {
    const status = this.scanner.scan(this.machine);
    if (this.phase === 'value') {
      this.flow();
      if (status === 'done') this.endValue();
    } else if (status === 'done') {
      this.key = decodeString(this.scanner.take());
      this.phase = 'colon';
    }
    return status;
  }

  private flow(): void {
    if (!this.mayFlow) return;
    if (!this.isFlowing) {
      const canFlow =
        this.key === this.keys.arguments[0] &&
        this.scanner.kind === '{' &&
        this.found.arguments?.rank !== 0;
      const name = canFlow ? this.name : undefined;
      if (name === undefined || (this.keys.id !== undefined && this.found.id === undefined)) return;
      this.machine.startCall(name, this.nativeId(), this.start);
      this.isFlowing = true;
    }
    if (this.key === this.keys.arguments[0] && this.found.arguments?.rank !== 0)
      this.machine.addArguments(this.scanner.take());
  }

  private endValue(): void {
    this.phase = 'comma';
    if (this.scanner.isRepaired) this.isRepaired = true;
    const role = this.roleOf(this.key);
    const rank = role === 'other' ? 0 : (this.keys[role]?.indexOf(this.key) ?? 0);
    const known = this.found[role];
    const text = this.scanner.take();
    if (role === 'other' || (known !== undefined && known.rank <= rank)) return;
    this.found[role] = { rank, kind: this.scanner.kind, text };
  }

  private roleOf(key: string): Role {
    if (this.keys.name.includes(key)) return 'name';
    if (this.keys.arguments.includes(key)) return 'arguments';
    return this.keys.id?.includes(key) ? 'id' : 'other';
  }
}
