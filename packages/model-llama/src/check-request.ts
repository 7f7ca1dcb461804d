import { type GenerateRequest, ModelError, type Sampling } from '@hermes/protocol';

/** Refuses what llama.cpp would read wrongly or die of. */
export function checkRequest(request: GenerateRequest, rows: number, contextTokens: number): void {
  const { ids, n, sampling, stopIds } = request;
  // One place must be left: an answer has a token at least.
  checkIds(ids, rows, contextTokens - 1);
  checkWhole('n', n, 1);
  for (const id of stopIds ?? []) checkId(id, rows, 'stopIds');
  checkSampling(sampling);
}

/** Ids of the vocabulary, at least one, and not more than there is room for. */
export function checkIds(ids: readonly number[], rows: number, most: number): void {
  if (ids.length === 0) throw new ModelError('BAD_REQUEST', 'A prompt needs at least one token.');
  if (ids.length > most)
    throw new ModelError(
      'CONTEXT_OVERFLOW',
      `${ids.length} tokens were given and there is room for ${most}: shorten the history, or open the model with more contextTokens.`,
    );
  for (const id of ids) checkId(id, rows, 'the prompt');
}

function checkId(id: number, rows: number, where: string): void {
  if (Number.isInteger(id) && id >= 0 && id < rows) return;
  throw new ModelError(
    'TOKENS_INVALID',
    `${id} in ${where} is no token of this model, which has ${rows}: the tokenizer belongs to another model.`,
  );
}

function checkSampling(sampling: Sampling): void {
  if (sampling.maxTokens !== undefined) checkWhole('maxTokens', sampling.maxTokens, 1);
  if (sampling.topK !== undefined) checkWhole('topK', sampling.topK, -1);
  if (sampling.seed !== undefined) checkWhole('seed', sampling.seed, 0);
  checkRange('temperature', sampling.temperature ?? 1, 0, Number.MAX_VALUE);
  checkRange('topP', sampling.topP ?? 1, Number.MIN_VALUE, 1);
  checkRange('minP', sampling.minP ?? 0, 0, 1);
  checkRange('frequencyPenalty', sampling.frequencyPenalty ?? 0, -2, 2);
  checkRange('presencePenalty', sampling.presencePenalty ?? 0, -2, 2);
  // It scales logits, and of those only the differences are known.
  if ((sampling.repetitionPenalty ?? 1) !== 1)
    throw new ModelError(
      'UNSUPPORTED',
      'repetitionPenalty is not there in process: leave it at 1.',
    );
}

function checkWhole(name: string, value: number, least: number): void {
  if (!Number.isSafeInteger(value)) refuse(name, value, 'a whole number');
  checkRange(name, value, least, Number.MAX_SAFE_INTEGER);
}

function checkRange(name: string, value: number, least: number, most: number): void {
  if (!(value >= least && value <= most)) refuse(name, value, `from ${least} to ${most}`);
}

function refuse(name: string, value: number, wanted: string): never {
  throw new ModelError('BAD_REQUEST', `${name} must be ${wanted}, not ${value}.`);
}
