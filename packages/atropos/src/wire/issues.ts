import type { JsonValue } from '@hermes/protocol';

/** What is wrong with a body and where, as pydantic says it. */
export type Issue = Readonly<{
  type: string;
  loc: readonly (string | number)[];
  msg: string;
  input: JsonValue;
  ctx?: JsonValue;
}>;

/** Where a value stands. A list would have to be made for each of thousands of numbers that are all right. */
export type Place = Readonly<{ parent: Place | null; key: string | number }>;

/** The place of a whole body. */
export const bodyPlace: Place = { parent: null, key: 'body' };

const messages = {
  missing: 'Field required',
  string_type: 'Input should be a valid string',
  int_type: 'Input should be a valid integer',
  int_from_float: 'Input should be a valid integer, got a number with a fractional part',
  int_parsing: 'Input should be a valid integer, unable to parse string as an integer',
  float_type: 'Input should be a valid number',
  float_parsing: 'Input should be a valid number, unable to parse string as a number',
  finite_number: 'Input should be a finite number',
  list_type: 'Input should be a valid list',
  dict_type: 'Input should be a valid dictionary',
  model_attributes_type: 'Input should be a valid dictionary or object to extract fields from',
} as const;

export function issueOf(type: keyof typeof messages, place: Place, input: unknown): Issue {
  return { type, loc: pathOf(place), msg: messages[type], input: (input ?? null) as JsonValue };
}

export function pathOf(place: Place): readonly (string | number)[] {
  return place.parent === null ? [place.key] : [...pathOf(place.parent), place.key];
}
