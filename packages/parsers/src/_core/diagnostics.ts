import type { Diagnostic, DiagnosticCode, DiagnosticLevel } from '../types.ts';

/** What a diagnostic may say beside its code and place. A `message` replaces the usual one. */
export type DiagnosticDetails = Partial<
  Pick<Diagnostic, 'raw' | 'callIndex' | 'parameter' | 'message'>
> &
  Readonly<{ name?: string | undefined }>;

/** The codes that cost a call. */
const errors: readonly DiagnosticCode[] = [
  'truncated_call',
  'malformed_call',
  'missing_name',
  'invalid_arguments',
];
/** The codes of what is usual or was left as it is. All others are warnings. */
const notes: readonly DiagnosticCode[] = [
  'unknown_tool',
  'missing_arguments',
  'arguments_unwrapped',
  'empty_block',
  'section_filler',
  'unclosed_reasoning',
  'eos_removed',
];

export function createDiagnostic(
  code: DiagnosticCode,
  start: number,
  end: number,
  { name, ...details }: DiagnosticDetails,
): Diagnostic {
  const message = code.replaceAll('_', ' ');
  const known = name ? { name } : {};
  return { code, level: levelOf(code), message, span: { start, end }, ...details, ...known };
}

function levelOf(code: DiagnosticCode): DiagnosticLevel {
  if (errors.includes(code)) return 'error';
  return notes.includes(code) ? 'info' : 'warning';
}
