import type { Diagnostic, DiagnosticCode } from './types.ts';

/** What a sentence speaks of: `the call of ls`, `the parameter path`; without a name `a call`. */
type Subjects = Readonly<{ call: string; parameter: string; tool: string }>;

// Apart from the parsers, so that one format alone stays small.
const sentences: Readonly<Record<DiagnosticCode, (subjects: Subjects) => string>> = {
  truncated_call: ({ call }) => `the text ends inside ${call}, which was dropped`,
  malformed_call: ({ call }) => `${call} breaks the grammar of the format and was dropped`,
  missing_name: () => 'a call has no name that is a string with text in it, and was dropped',
  invalid_arguments: ({ call }) =>
    `the arguments of ${call} are no JSON object, and it was dropped`,
  unclosed_call: ({ call }) => `${call} is complete, but its closing marker is missing`,
  repaired_call: ({ call }) => `${call} was repaired: its text was not quite what the format asks`,
  stray_marker: () => 'a marker opens or closes nothing and was removed',
  missing_wrapper: ({ call }) => `${call} lacks the marker that should stand around it`,
  coercion_failed: ({ call, parameter }) =>
    `${parameter} of ${call} does not fit its declared type and was kept as a string`,
  duplicate_key: ({ call, parameter }) =>
    `${parameter} of ${call} is given more than once, and its first value counts`,
  duplicate_id: ({ call }) => `${call} has the id of an earlier one and got a new id`,
  unknown_tool: ({ tool }) => `no tool named ${tool} was given, and the call was kept`,
  missing_arguments: ({ call }) => `${call} has no arguments and got {}`,
  arguments_unwrapped: ({ call }) => `the arguments of ${call} were JSON in a string`,
  empty_block: () => 'a block for calls holds none',
  section_filler: () => 'text between the calls of a block was dropped',
  unclosed_reasoning: () => 'the reasoning was never closed',
  eos_removed: () => 'an end-of-turn token was removed',
};

/**
 * A diagnostic as a sentence for people, or for the model that wrote the text. With the text that
 * was parsed it says the line and column, too; both count from 1, columns in UTF-16 units.
 */
export function explainDiagnostic(
  { code, name, parameter, span }: Diagnostic,
  text?: string,
): string {
  const sentence = sentences[code]({
    call: name === undefined ? 'a call' : `the call of ${name}`,
    parameter: parameter === undefined ? 'a parameter' : `the parameter ${parameter}`,
    tool: name ?? 'so',
  });
  const place = text === undefined ? '' : ` (${placeIn(text, span.start)})`;
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}${place}.`;
}

function placeIn(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
}
