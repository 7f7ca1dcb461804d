import type { Machine } from '../machine.ts';
import { parameterNames, parametersOf } from '../text-calls/schema.ts';
import { readPythonArguments } from './python-call.ts';

/** Hands over the call whose text between the brackets is this, or says why there is none. */
export function deliverPythonCall(
  machine: Machine,
  name: string,
  text: string,
  start: number,
): void {
  const names = parameterNames(parametersOf(machine.options.tools, name));
  const call = readPythonArguments(text, names, machine.options.maxDepth);
  if (call.kind !== 'call') {
    machine.dropCall(call.kind, start, { name });
    return;
  }
  machine.call(name, null, call.json, start);
  if (call.hasPositional) machine.report('repaired_call', start, { name });
  for (const parameter of call.repeated) {
    machine.report('duplicate_key', start, { name, parameter });
  }
}
