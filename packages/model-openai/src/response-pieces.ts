import { streamCutError } from './attempt-errors.ts';
import type { AttemptGuard } from './attempt-guard.ts';
import type { AnswerCollector } from './collect-answer.ts';
import type { ModelTarget } from './model-target.ts';

/** What is needed to read one response. */
export type Reading = Readonly<{
  target: ModelTarget;
  guard: AttemptGuard;
  answer: AnswerCollector;
  stallMs: number;
}>;

/** The bytes of a response. The time that the reader takes between them is not the server's. */
export async function* responsePieces(
  { guard, target }: Reading,
  response: Response,
  patience: () => number,
): AsyncGenerator<Uint8Array> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  try {
    for (;;) {
      const piece = await readPiece(reader, target);
      guard.expect(null);
      if (piece === null) return;
      yield piece;
      guard.expect(patience());
    }
  } finally {
    reader.cancel().catch(ignoreClosed);
  }
}

async function readPiece(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  target: ModelTarget,
): Promise<Uint8Array | null> {
  try {
    const { done, value } = await reader.read();
    return done ? null : value;
  } catch (error) {
    throw streamCutError(target, error);
  }
}

function ignoreClosed(): void {
  // A stream that broke has nothing to cancel.
}

/** The first bytes as text: enough to see what kind of body it is. */
export function beginOf(first: IteratorResult<Uint8Array>): string {
  return first.done ? '' : new TextDecoder().decode(first.value.subarray(0, 64));
}

/** The pieces with the one that was looked at before them. */
export async function* prepended(
  first: IteratorResult<Uint8Array>,
  rest: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  if (first.done) return;
  yield first.value;
  yield* rest;
}
