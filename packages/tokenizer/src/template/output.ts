import type { Value } from './values.ts';

/** A part of a rendered text, in UTF-16 units. */
export type TextSpan = Readonly<{ start: number; end: number }>;

/** Rendered text, with what its parts are. */
export class Output {
  /** What stood between `{% generation %}` and its end. */
  readonly generated: TextSpan[] = [];
  /** For each message from where to where text was written while a loop was at it. */
  readonly written: Map<Value, TextSpan> = new Map();
  private readonly messages: ReadonlySet<Value>;
  private readonly parts: string[] = [];
  private readonly turns: Value[] = [];
  private size = 0;

  /** `messages`: the values whose turns are to be known. */
  constructor(messages: ReadonlySet<Value> = new Set()) {
    this.messages = messages;
  }

  get length(): number {
    return this.size;
  }

  write(text: string): void {
    if (text === '') return;
    const start = this.size;
    this.parts.push(text);
    this.size += text.length;
    const turn = this.turns.at(-1);
    if (turn === undefined) return;
    this.written.set(turn, { start: this.written.get(turn)?.start ?? start, end: this.size });
  }

  /** What is written in `body` belongs to this value, if it is a message. */
  during(turn: Value, body: () => Flow): Flow {
    if (!this.messages.has(turn)) return body();
    this.turns.push(turn);
    const flow = body();
    this.turns.pop();
    return flow;
  }

  text(): string {
    return this.parts.join('');
  }
}

/** Whether a loop goes on behind a statement. */
export type Flow = 'next' | 'break' | 'continue';
