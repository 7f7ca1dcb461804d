import { haveRoleAndContent } from './check-messages.ts';
import { readValue } from './copy-value.ts';
import { bodyPlace, type Issue, type Place, pathOf } from './issues.ts';
import { JsonReader } from './json-reader.ts';
import { listOf, numbersOf } from './list-writers.ts';
import { expectEnd, type Field, readModel } from './read-model.ts';
import { strictIssues } from './strict-issues.ts';
import { nullable, type Shape, type Writer, writeAny, writeInt, writeObject } from './writers.ts';

/** One group as it came in, in the form in which it goes out. */
export type ReceivedGroup = Readonly<{
  /** The 14 fields as a JSON object; unset ones are null. */
  json: Buffer;
  /** How many sequences. */
  size: number;
  environmentId: number | null;
  /** False: it holds NaN or an infinite number, so no answer can be made from it. */
  isFinite: boolean;
}>;

export type ReadBody<T> = Readonly<{ value: T } | { issues: readonly Issue[] }>;

const messageLists = listOf(listOf(writeObject));

/** Before their form, the messages are checked for what each must have. */
const writeMessages: Writer = (reader, place, issues) => {
  const start = reader.at;
  const value = readValue(reader);
  if (!haveRoleAndContent(value)) {
    const msg = "Value error, Message must have 'role' and 'content' fields";
    const input = value as Issue['input'];
    issues.push({ type: 'value_error', loc: pathOf(place), msg, input, ctx: { error: {} } });
    return 0;
  }
  reader.at = start;
  return messageLists(reader, place, issues);
};

const optional = (name: string, write: Writer): Field => ({
  name,
  isRequired: false,
  write: nullable(write),
});
const required = (name: string, write: Writer): Field => ({ name, isRequired: true, write });

/** In the order in which the original lists them. */
const fields: readonly Field[] = [
  required('tokens', listOf(numbersOf('int'))),
  required('masks', listOf(numbersOf('int'))),
  required('scores', numbersOf('float')),
  optional('advantages', listOf(numbersOf('float'))),
  optional('ref_logprobs', listOf(numbersOf('float'))),
  optional('messages', writeMessages),
  optional('generation_params', writeObject),
  optional('inference_logprobs', listOf(numbersOf('float'))),
  optional('overrides', listOf(writeObject)),
  optional('group_overrides', writeObject),
  optional('images', writeAny),
  optional('env_id', writeInt),
  optional('distill_token_ids', listOf(listOf(numbersOf('int')))),
  optional('distill_logprobs', listOf(listOf(numbersOf('float')))),
];

/** Reads the body of `/scored_data`. strict: lengths must agree and numbers be finite. */
export function readGroup(body: Uint8Array, strict: boolean): ReadBody<ReceivedGroup> {
  const reader = new JsonReader(body);
  const issues: Issue[] = [];
  const group = readOne(reader, bodyPlace, issues, strict);
  expectEnd(reader);
  return group === null ? { issues } : { value: group };
}

/** Reads the body of `/scored_data_list`: all groups are good, or none is taken. */
export function readGroups(body: Uint8Array, strict: boolean): ReadBody<readonly ReceivedGroup[]> {
  const reader = new JsonReader(body);
  const issues: Issue[] = [];
  const groups: ReceivedGroup[] = [];
  listOf((_reader, place) => {
    reader.isFinite = true;
    const group = readOne(reader, place, issues, strict);
    if (group !== null) groups.push(group);
    return 0;
  })(reader, bodyPlace, issues);
  expectEnd(reader);
  return issues.length > 0 ? { issues } : { value: groups };
}

function readOne(
  reader: JsonReader,
  place: Place,
  issues: Issue[],
  strict: boolean,
): ReceivedGroup | null {
  const model = readModel(reader, fields, place, issues);
  if (model === null) return null;
  const wrong = strict ? strictIssues(model.shapes, reader.isFinite, place) : [];
  issues.push(...wrong);
  if (wrong.length > 0) return null;
  const id = environmentIdOf(model.json);
  const size = (model.shapes.get('tokens') as readonly Shape[]).length;
  return { json: model.json, size, environmentId: id, isFinite: reader.isFinite };
}

/** After the id come numbers alone, so the last mention of its name is the field itself. */
function environmentIdOf(json: Buffer): number | null {
  const key = '"env_id":';
  const at = json.lastIndexOf(key);
  const text = /^(?:null|-?\d+)/.exec(
    json.toString('latin1', at + key.length, at + key.length + 24),
  );
  return text === null || text[0] === 'null' ? null : Number(text[0]);
}
