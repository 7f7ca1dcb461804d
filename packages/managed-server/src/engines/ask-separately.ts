import { ModelError, type TokenEvent } from '@hermes/protocol';
import { askOnce, type OpenEngine, type Unnamed } from './ask-once.ts';

type Result = Extract<TokenEvent, { type: 'result' }>;

/** Several answers from a server that gives one at a time: as many questions at once. What is told as it comes is the first one. */
export async function* askSeparately(
  open: OpenEngine,
  question: Unnamed,
  outer: AbortSignal,
): AsyncGenerator<TokenEvent> {
  const stop = new AbortController();
  const signal = AbortSignal.any([outer, stop.signal]);
  try {
    const others = Promise.all(
      Array.from({ length: question.n - 1 }, (_, at) =>
        resultOf(open, seeded({ ...question, n: 1 }, at + 1), signal),
      ),
    );
    // A failure of the others is seen below; until then it is nobody's.
    others.catch(() => undefined);
    for await (const event of askOnce(open, { ...question, n: 1 }, signal)) {
      if (event.type !== 'result') yield event;
      else yield merged([event, ...(await others)]);
    }
  } finally {
    stop.abort('the other answers are not needed');
  }
}

/** With one seed all answers would be the same. */
function seeded(question: Unnamed, choice: number): Unnamed {
  const { seed } = question.sampling;
  if (seed === undefined) return question;
  return { ...question, sampling: { ...question.sampling, seed: seed + choice } };
}

async function resultOf(open: OpenEngine, question: Unnamed, signal: AbortSignal): Promise<Result> {
  for await (const event of askOnce(open, question, signal))
    if (event.type === 'result') return event;
  throw new ModelError('BAD_RESPONSE', 'The engine ended without a result.');
}

function merged(results: readonly Result[]): Result {
  const [first] = results;
  return {
    type: 'result',
    outputs: results.flatMap(({ outputs }) => outputs),
    promptIds: first?.promptIds ?? null,
    cachedTokens: first?.cachedTokens ?? null,
  };
}
