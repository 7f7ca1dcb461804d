const marker = Symbol.for('hermes.parsers.FormatNotDetectedError');

/** Nothing that is known of a model tells its format. */
export class FormatNotDetectedError extends Error {
  readonly code = 'FORMAT_NOT_DETECTED';

  constructor(modelId: string | undefined, names: readonly string[]) {
    const model = modelId === undefined ? '' : ` of the model '${modelId}'`;
    super(`The tool call format${model} was not recognised. Name one of [${names.join(', ')}]`);
    this.name = 'FormatNotDetectedError';
    Object.defineProperty(this, marker, { value: true });
  }

  /** True for errors of this kind, also from another copy of the package. */
  static isInstance(value: unknown): value is FormatNotDetectedError {
    return typeof value === 'object' && value !== null && marker in value;
  }
}
