/** Thrown where a request cannot be served: it becomes an answer with this status. */
export class Refusal extends Error {
  readonly status: number;
  /** For programs: `item_unknown`, `timeout`, ... */
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.code = code;
  }
}
