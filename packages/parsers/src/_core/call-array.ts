import type { BlockReader, Step } from './format.ts';
import { elementsOf, type JsonMember, membersOf } from './json-members.ts';
import { JsonScanner } from './json-scanner.ts';
import { decodeString, objectText } from './json-text.ts';
import type { Machine } from './machine.ts';
import { trimSpace } from './whitespace.ts';

interface FoundCall {
  readonly name: string;
  readonly text: string;
}

/** A JSON array (or object) of calls without a marker. If one element is no call, it is text. */
export function bareCallArray(machine: Machine, start: number): BlockReader {
  return new CallArrayReader(machine, start);
}

class CallArrayReader implements BlockReader {
  private readonly scanner: JsonScanner;
  private readonly machine: Machine;
  private readonly start: number;

  constructor(machine: Machine, start: number) {
    this.machine = machine;
    this.start = start;
    machine.rewind(start);
    machine.keepFrom(start);
    this.scanner = new JsonScanner(machine, machine.options.repair, machine.options.maxDepth);
    this.scanner.begin();
  }

  step(): Step {
    const status = this.scanner.scan();
    if (status === 'more') return 'more';
    const calls = status === 'done' ? callsOf(this.scanner.take(), this.machine) : null;
    if (calls === null) this.cut();
    else this.deliver(calls);
    return 'again';
  }

  cut(): void {
    this.machine.textBlock(this.start, 1);
  }

  private deliver(calls: readonly FoundCall[]): void {
    const { machine, start } = this;
    machine.beginBlock();
    for (const call of calls) machine.call(call.name, null, call.text, start);
    if (this.scanner.isRepaired) {
      machine.report('repaired_call', start);
    }
    machine.endBlock();
  }
}

function callsOf(text: string, machine: Machine): readonly FoundCall[] | null {
  const elements = text.startsWith('[') ? elementsOf(text) : [text];
  const calls = elements.map((element) => callOf(element, machine));
  const found = calls.filter((call) => call !== null);
  return found.length > 0 && found.length === calls.length ? found : null;
}

function callOf(element: string, machine: Machine): FoundCall | null {
  if (!element.startsWith('{')) return null;
  const members = membersOf(element);
  const name = memberOf(members, 'name');
  const given = memberOf(members, 'arguments') ?? memberOf(members, 'parameters');
  if (name?.startsWith('"') !== true || given === undefined) return null;
  const text = given.startsWith('"') ? trimSpace(decodeString(given)) : given;
  const json = objectText(text, machine.options.repair, machine.options.maxDepth);
  const decoded = decodeString(name);
  return json === null || trimSpace(decoded) === '' ? null : { name: decoded, text: json };
}

function memberOf(members: readonly JsonMember[], key: string): string | undefined {
  return members.find((member) => member.key === key)?.value;
}
