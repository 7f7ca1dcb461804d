import type { IdMaker, JsonObject, ModelNote, Tool, ToolCall } from '@hermes/protocol';
import { coerceArguments, fitsSchema } from './coerce-arguments.ts';
import type { NormalCall } from './normalise-calls.ts';
import { firstCharacters } from './tool-results.ts';

/** A call that was checked: it can be run, or it is refused with what the model is told. */
export type PreparedCall = Readonly<{
  call: NormalCall;
  /** What the history carries: always an object, so that chat templates render. */
  historyArguments: string;
  schemaValid: boolean;
  plan:
    | Readonly<{ kind: 'run'; tool: Tool; args: JsonObject }>
    | Readonly<{
        kind: 'refuse';
        refused: 'unknown_tool' | 'bad_arguments';
        /** For the model. */
        message: string;
        /** For the record. */
        error: string;
        /** What the model wrote, where the history cannot show it. */
        received?: string;
      }>;
}>;

/** A broken call is never repaired by a guess, and its tool is never run. */
export function prepareCall(call: NormalCall, tools: ReadonlyMap<string, Tool>): PreparedCall {
  const read = readArguments(call.rawArguments);
  const historyArguments = read.args ? call.rawArguments : '{}';
  const tool = tools.get(call.name);
  if (!tool) {
    return { call, historyArguments, schemaValid: false, plan: unknownTool(call.name, tools) };
  }
  if (!read.args) {
    return { call, historyArguments, schemaValid: false, plan: badArguments(read.reason) };
  }
  const schema = tool.schema.function.parameters;
  const args = coerceArguments(read.args, schema);
  const plan = { kind: 'run', tool, args } as const;
  return { call, historyArguments, schemaValid: fitsSchema(args, schema), plan };
}

/** A call that a parser had to drop: shown to the model as its own failed call, not passed over. */
export function prepareDropped(note: ModelNote, raw: string, newId: IdMaker): PreparedCall {
  const call = { id: newId('call'), name: note.toolName ?? 'unknown', rawArguments: raw };
  const refusal = badArguments(note.message.replace(/\.$/, ''));
  const plan = { ...refusal, received: firstCharacters(raw, RECEIVED_CHARACTERS) };
  return { call, historyArguments: '{}', schemaValid: false, plan };
}

const RECEIVED_CHARACTERS = 500;

/** The call as the assistant message carries it. */
export function historyCall({ call, historyArguments }: PreparedCall): ToolCall {
  return {
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: historyArguments },
  };
}

type ReadArguments = { args: JsonObject } | { args: null; reason: string };

function readArguments(raw: string): ReadArguments {
  try {
    const value: unknown = JSON.parse(raw);
    return isJsonObject(value) ? { args: value } : { args: null, reason: 'expected an object' };
  } catch (error) {
    return { args: null, reason: error instanceof Error ? error.message : String(error) };
  }
}

function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type Refusal = Extract<PreparedCall['plan'], { readonly kind: 'refuse' }>;

function unknownTool(name: string, tools: ReadonlyMap<string, Tool>): Refusal {
  const names = [...tools.keys()].sort().map((known) => `'${known}'`);
  const error = `Unknown tool '${name}'`;
  const message = `${error}. Available tools: [${names.join(', ')}]`;
  return { kind: 'refuse', refused: 'unknown_tool', message, error };
}

function badArguments(reason: string): Refusal {
  const message = `Invalid JSON in tool arguments: ${reason}. Please retry with valid JSON.`;
  return { kind: 'refuse', refused: 'bad_arguments', message, error: `Invalid JSON: ${reason}` };
}
