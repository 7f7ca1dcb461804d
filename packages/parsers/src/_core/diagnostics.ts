import type { Diagnostic, DiagnosticCode, DiagnosticLevel } from '../types.ts';

/** What a diagnostic may say beside its code and place. A `message` replaces the usual one. */
export type DiagnosticDetails = Partial<
  Pick<Diagnostic, 'raw' | 'callIndex' | 'name' | 'parameter' | 'message'>
>;

/** The usual message of each code, by level. */
const messages: Readonly<Record<DiagnosticLevel, Partial<Record<DiagnosticCode, string>>>> = {
  error: {
    truncated_call: 'the text ends inside a call',
    malformed_call: 'the markup of a call is broken',
    missing_name: 'a call has no usable name',
    invalid_arguments: 'the arguments of a call are no JSON object',
  },
  warning: {
    unclosed_call: 'the end marker of a call is missing',
    repaired_call: 'a call was repaired',
    stray_marker: 'a marker opens or closes nothing',
    missing_wrapper: 'the start marker of a call is missing',
    coercion_failed: 'a value does not fit its declared type',
    duplicate_key: 'a parameter came twice; the first value counts',
    duplicate_id: 'an id came twice; the later call got a new one',
  },
  info: {
    unknown_tool: 'the request has no tool of this name',
    missing_arguments: 'a call came without arguments',
    arguments_unwrapped: 'the arguments were a string of JSON',
    empty_block: 'a block holds no call',
    section_filler: 'text between calls was dropped',
    unclosed_reasoning: 'the end marker of the reasoning is missing',
    eos_removed: 'an end-of-turn token was removed',
  },
};

export function createDiagnostic(
  code: DiagnosticCode,
  start: number,
  end: number,
  details: DiagnosticDetails,
): Diagnostic {
  const level = code in messages.error ? 'error' : code in messages.warning ? 'warning' : 'info';
  const message = messages[level][code] ?? code;
  return { code, level, message, span: { start, end }, ...details };
}

/** In order of their place in the text; equal places keep their order. */
export function inTextOrder(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return [...diagnostics].sort((one, two) => one.span.start - two.span.start);
}
