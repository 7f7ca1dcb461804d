import type {
  ChatEvent,
  ChatRequest,
  Message,
  ModelCallContext,
  ModelError,
} from '@hermes/protocol';
import { guardError } from './attempt-errors.ts';
import { describeTarget, modelError } from './model-target.ts';
import type { OpenModel } from './open-model.ts';
import { requestBody } from './request-body.ts';
import { retryDelay } from './retry-delay.ts';
import { runAttempt } from './run-attempt.ts';

/** One call: attempts until there is an answer, or an error that another attempt would not mend. */
export async function* chat(
  model: OpenModel,
  request: ChatRequest,
  context: ModelCallContext,
): AsyncGenerator<ChatEvent> {
  const { effects, settings } = model;
  checkImages(model, request.messages);
  const body = requestBody(settings, request);
  for (let number = 1; ; number += 1) {
    if (context.signal.aborted) throw guardError(model.target, 'aborted', settings);
    const id = { attemptId: effects.newId('attempt'), number };
    yield { type: 'attempt_start', ...id };
    const { attempt, error, result } = yield* runAttempt(model, body, context, id);
    yield { type: 'attempt_end', attempt };
    if (result !== null) {
      yield { type: 'result', result };
      return;
    }
    await waitBefore(model, error, number, context.signal);
  }
}

/** Throws the error where there is no next attempt. */
async function waitBefore(
  { effects, settings, target }: OpenModel,
  error: ModelError,
  made: number,
  signal: AbortSignal,
): Promise<void> {
  const delayMs = retryDelay(error, made, settings, effects.random);
  if (delayMs === null) throw error;
  const fields = { model: target.model, code: error.code, attempt: made, delayMs };
  effects.logger.log('info', 'A model call failed and is made again.', fields);
  try {
    await effects.clock.sleep(delayMs, signal);
  } catch {
    // A sleep rejects only when its signal fires.
    throw guardError(target, 'aborted', settings);
  }
}

function checkImages({ settings, target }: OpenModel, messages: readonly Message[]): void {
  if (settings.images || !messages.some(hasImage)) return;
  const message = `The conversation has an image and ${describeTarget(target)} takes none: leave it out, or choose a model that sees.`;
  throw modelError('UNSUPPORTED', message);
}

function hasImage({ content }: Message): boolean {
  return Array.isArray(content) && content.some((part) => part.type === 'image_url');
}
