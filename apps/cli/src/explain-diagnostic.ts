import type { Diagnostic, DiagnosticCode } from '@hermes/parsers';

/** What each code means to a person, or to the model that wrote the text. The parsers, which must stay small, say only the code. */
const meanings: Readonly<Record<DiagnosticCode, string>> = {
  truncated_call: 'the text ends inside a call; it was dropped',
  malformed_call: 'a call breaks the grammar of the format; it was dropped',
  missing_name: 'a call has no name; it was dropped',
  invalid_arguments: 'the arguments of a call are no JSON object; it was dropped',
  unclosed_call: 'a call is complete, and its closing marker is missing',
  repaired_call: 'a call was repaired',
  stray_marker: 'a marker opens or closes nothing; it was removed',
  missing_wrapper: 'a call lacks the marker around it',
  coercion_failed: 'a value does not fit its declared type; it was kept as a string',
  duplicate_key: 'a parameter is given twice; the first value counts',
  duplicate_id: 'an id is used twice; the later call got a new one',
  unknown_tool: 'no tool of that name was given',
  missing_arguments: 'a call without arguments got {}',
  arguments_unwrapped: 'arguments that were a string of JSON were unwrapped',
  empty_block: 'a block holds no call',
  section_filler: 'text between the calls of a block was dropped',
  unclosed_reasoning: 'the reasoning was never closed',
  eos_removed: 'an end-of-turn token was removed',
};

/** The diagnostic in words; a message that says more than its code stays as it is. */
export function explainDiagnostic({ code, message }: Diagnostic): string {
  return message === code.replaceAll('_', ' ') ? meanings[code] : message;
}
