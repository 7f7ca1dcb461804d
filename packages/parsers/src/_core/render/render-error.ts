const marker = Symbol.for('hermes.parsers.RenderError');

/** The format has no way to write this message down. */
export class RenderError extends Error {
  override readonly name = 'RenderError';
  readonly code = 'CANNOT_CARRY';
  declare readonly format: string;

  constructor(format: string, what: string) {
    super(`${format} cannot carry the ${what} of this message`);
    Object.assign(this, { format, [marker]: true });
  }

  /** True for errors of this kind, also from another copy of the package. */
  static isInstance(value: unknown): value is RenderError {
    return (value as { [marker]?: true } | null | undefined)?.[marker] === true;
  }
}
