import type { Diagnostic } from './types.ts';

const marker = Symbol.for('hermes.parsers.ConvertError');

/** The text holds a call that could not be read: converting it would lose the call. */
export class ConvertError extends Error {
  readonly code = 'CALL_DROPPED';
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[]) {
    const [first] = diagnostics;
    super(`A call cannot be converted: ${first?.message} at ${first?.span.start} (${first?.code})`);
    this.name = 'ConvertError';
    this.diagnostics = diagnostics;
    Object.defineProperty(this, marker, { value: true });
  }

  /** True for errors of this kind, also from another copy of the package. */
  static isInstance(value: unknown): value is ConvertError {
    return typeof value === 'object' && value !== null && marker in value;
  }
}
