import type { Diagnostic, DiagnosticCode, DiagnosticLevel } from '../types.ts';

/** What a diagnostic may say beside its code and place. A `message` replaces the usual one. */
export type DiagnosticDetails = Partial<
  Pick<Diagnostic, 'raw' | 'callIndex' | 'parameter' | 'message'>
> &
  Readonly<{ name?: string | undefined }>;

/** The messages of the codes that cost a call. All other codes speak for themselves. */
const errors: Partial<Record<DiagnosticCode, string>> = {
  truncated_call: 'the text ends inside a call',
  malformed_call: 'the markup of a call is broken',
  missing_name: 'a call has no usable name',
  invalid_arguments: 'the arguments of a call are no JSON object',
};
const warnings: readonly DiagnosticCode[] = [
  'unclosed_call',
  'repaired_call',
  'stray_marker',
  'missing_wrapper',
  'coercion_failed',
  'duplicate_key',
  'duplicate_id',
];

export function createDiagnostic(
  code: DiagnosticCode,
  start: number,
  end: number,
  { name, ...details }: DiagnosticDetails,
): Diagnostic {
  const message = errors[code] ?? code.replaceAll('_', ' ');
  const known = name ? { name } : {};
  return { code, level: levelOf(code), message, span: { start, end }, ...details, ...known };
}

function levelOf(code: DiagnosticCode): DiagnosticLevel {
  if (errors[code]) return 'error';
  return warnings.includes(code) ? 'warning' : 'info';
}
