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
  const message = code.replaceAll('_', ' ');
  const known = name ? { name } : {};
  return { code, level: levelOf(code), message, span: { start, end }, ...details, ...known };
}

function levelOf(code: DiagnosticCode): DiagnosticLevel {
  if (errors.includes(code)) return 'error';
  return warnings.includes(code) ? 'warning' : 'info';
}
