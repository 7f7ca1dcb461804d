import type { Diagnostic, DiagnosticCode, DiagnosticLevel } from '../types.ts';

const errors: ReadonlySet<DiagnosticCode> = new Set<DiagnosticCode>([
  'truncated_call',
  'malformed_call',
  'missing_name',
  'invalid_arguments',
]);
const warnings: ReadonlySet<DiagnosticCode> = new Set<DiagnosticCode>([
  'unclosed_call',
  'repaired_call',
  'stray_marker',
  'missing_wrapper',
  'coercion_failed',
  'duplicate_key',
  'duplicate_id',
]);

/** What a diagnostic may say beside its code, place and message. */
export type DiagnosticDetails = Pick<Diagnostic, 'raw' | 'callIndex' | 'name' | 'parameter'>;

/** How serious a code is. */
export function levelOf(code: DiagnosticCode): DiagnosticLevel {
  if (errors.has(code)) return 'error';
  return warnings.has(code) ? 'warning' : 'info';
}

/** In order of their place in the text; equal places keep their order. */
export function inTextOrder(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return [...diagnostics].sort((one, two) => one.span.start - two.span.start);
}
