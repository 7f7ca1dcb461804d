import type { AssistantMessage, IdMaker } from '@hermes/protocol';

/** A tool call, the same whatever shape it came in. */
export type NormalCall = Readonly<{
  /** Used in the assistant message and in the tool message. */
  id: string;
  name: string;
  rawArguments: string;
}>;

/**
 * Brings calls into one shape, once, before any use. Servers forget ids, repeat them within a
 * message, flatten `function`, or send arguments as an object.
 */
export function normaliseCalls(
  calls: AssistantMessage['tool_calls'] | readonly object[],
  newId: IdMaker,
): readonly NormalCall[] {
  const taken = new Set<string>();
  return (Array.isArray(calls) ? calls : []).map((call) => {
    const given = read(call, 'id');
    const id = isText(given) && !taken.has(given) ? given : newId('call');
    taken.add(id);
    return { id, name: nameOf(call), rawArguments: argumentsOf(call) };
  });
}

function nameOf(call: unknown): string {
  const name = read(read(call, 'function'), 'name') ?? read(call, 'name');
  return typeof name === 'string' ? name : '';
}

function argumentsOf(call: unknown): string {
  const given = read(read(call, 'function'), 'arguments') ?? read(call, 'arguments');
  if (typeof given === 'string') return given;
  return given === undefined ? '' : JSON.stringify(given);
}

function read(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
