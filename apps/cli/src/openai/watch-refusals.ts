import { type ChatModel, type HermesError, ModelError } from '@hermes/protocol';

/** What the calls of a run have shown so far. */
export interface RefusalWatch {
  /** Fires at the first refusal that every other call would meet too, as long as no call has succeeded. */
  readonly refused: AbortSignal;
  /** The same model, watched. refusalOf: the error that a refusal means; null = it may be the fault of this one call. */
  watch(model: ChatModel, refusalOf: (error: ModelError) => HermesError | null): ChatModel;
}

/** A wrong key or an unknown model shows at the first call: then the run ends before the same happens to a thousand trials. */
export function watchRefusals(): RefusalWatch {
  const controller = new AbortController();
  let hasAnswered = false;
  return {
    refused: controller.signal,
    watch: (model, refusalOf) => ({
      ...model,
      async *chat(request, context) {
        try {
          for await (const event of model.chat(request, context)) {
            hasAnswered ||= event.type === 'result';
            yield event;
          }
        } catch (error) {
          const refusal = !hasAnswered && isModelError(error) ? refusalOf(error) : null;
          if (refusal !== null) controller.abort(refusal);
          throw error;
        }
      },
    }),
  };
}

function isModelError(error: unknown): error is ModelError {
  return ModelError.isInstance(error) && error.boundary === 'model';
}
