import type { JsonObject, PositionScore, TokenFinish, TokenOutput } from '@hermes/protocol';
import { z } from 'zod';
import type {
  DialectAnswer,
  EngineDialect,
  EngineQuestion,
  FullSampling,
  StreamReader,
} from './engine-dialect.ts';
import { growingOutputs } from './growing-outputs.ts';
import { logprobList, numbers, readBody, required, unknownFinish } from './read-body.ts';

const NAME = 'vllm';

/** Stock vLLM, by `/v1/completions` with token ids on both sides (from 0.10.2 on). */
export const vllmCompletions: EngineDialect = {
  name: NAME,
  abort: 'engine',
  takesMany: takesManyOnVllm,
  question: (question) => ({ method: 'POST', path: '/v1/completions', body: bodyOf(question) }),
  readAnswer(body) {
    const answer = readBody(NAME, completion, body);
    const choices = [...answer.choices].sort((one, other) => one.index - other.index);
    return {
      outputs: choices.map(outputOf),
      promptIds: choices[0]?.prompt_token_ids ?? null,
      cachedTokens: answer.usage?.prompt_tokens_details?.cached_tokens ?? null,
    };
  },
  streaming: {
    question: (question) => ({
      method: 'POST',
      path: '/v1/completions',
      body: { ...bodyOf(question), stream: true, stream_options: { include_usage: true } },
    }),
    reader: streamReader,
  },
  abortRequest: ({ requestId }) => vllmAbort(`cmpl-${requestId}-0`),
  scoring: {
    question: (model, ids, topK) => ({
      method: 'POST',
      path: '/v1/completions',
      body: { model, prompt: ids, max_tokens: 1, temperature: 0, prompt_logprobs: topK },
    }),
    read(body, ids) {
      const [choice] = readBody(NAME, scored, body).choices;
      const positions = required(NAME, choice?.prompt_logprobs, 'log-probs of the prompt');
      return positions.map((position, at) => positionScore(position, ids[at]));
    },
  },
  tokenizing: {
    question: (model, text) => ({
      method: 'POST',
      path: '/tokenize',
      body: { model, prompt: text, add_special_tokens: false },
    }),
    read: (body) => readBody(NAME, z.object({ tokens: numbers }), body).tokens,
  },
};

/** vLLM refuses several answers of greedy sampling: they would be the same. */
export function takesManyOnVllm({ temperature }: FullSampling): boolean {
  return temperature > 0;
}

/** The server knows a request by a name of its own; a name that it does not know is no error. */
export function vllmAbort(
  internalId: string,
): Readonly<{ method: 'POST'; path: string; body: JsonObject }> {
  return {
    method: 'POST',
    path: '/inference/v1/abort_requests',
    body: { request_ids: [internalId] },
  };
}

/** The sampling parameters under the names of vLLM. top_k -1: all tokens, in old and new versions. */
export function vllmSampling({ n, sampling, stopIds }: EngineQuestion): JsonObject {
  return {
    n,
    max_tokens: sampling.maxTokens,
    temperature: sampling.temperature,
    top_p: sampling.topP,
    top_k: sampling.topK > 0 ? sampling.topK : -1,
    min_p: sampling.minP,
    frequency_penalty: sampling.frequencyPenalty,
    presence_penalty: sampling.presencePenalty,
    repetition_penalty: sampling.repetitionPenalty,
    ...(sampling.seed !== undefined && { seed: sampling.seed }),
    ...(sampling.stop.length > 0 && { stop: sampling.stop }),
    ...(stopIds.length > 0 && { stop_token_ids: stopIds }),
  };
}

/** Why vLLM ended an answer. An end-of-sequence token has no `stop_reason`: it is the last id. */
export function vllmFinish(
  dialect: string,
  reason: unknown,
  stop: unknown,
  lastId: number | undefined,
): TokenFinish {
  if (reason === 'length' || reason === 'abort') return { type: reason };
  if (reason !== 'stop') throw unknownFinish(dialect, reason);
  if (typeof stop === 'string') return { type: 'stop', matchedId: null, matchedText: stop };
  const matchedId = typeof stop === 'number' ? stop : (lastId ?? null);
  return { type: 'stop', matchedId, matchedText: null };
}

const choiceOf = {
  index: z.number(),
  token_ids: numbers.nullish(),
  prompt_token_ids: numbers.nullish(),
  logprobs: z.object({ token_logprobs: logprobList }).nullish(),
  stop_reason: z.union([z.number(), z.string()]).nullish(),
};
const usage = z
  .object({ prompt_tokens_details: z.object({ cached_tokens: z.number().nullish() }).nullish() })
  .nullish();
const completion = z.object({
  choices: z.array(z.object({ ...choiceOf, finish_reason: z.string().nullish() })),
  usage,
});
const scored = z.object({
  choices: z.array(
    z.object({
      prompt_logprobs: z
        .array(z.record(z.string(), z.object({ logprob: z.number() })).nullable())
        .nullish(),
    }),
  ),
});

type Choice = z.infer<typeof completion>['choices'][number];

function bodyOf(question: EngineQuestion): JsonObject {
  return {
    model: question.model,
    prompt: question.ids,
    ...vllmSampling(question),
    logprobs: 0,
    return_token_ids: true,
    request_id: question.requestId,
  };
}

function outputOf(choice: Choice): TokenOutput {
  const ids = required(NAME, choice.token_ids, 'token ids (return_token_ids)');
  return {
    ids,
    logprobs: required(NAME, choice.logprobs, 'log-probs').token_logprobs,
    finish: vllmFinish(NAME, choice.finish_reason, choice.stop_reason, ids.at(-1)),
    weightVersion: null,
  };
}

/** The prompt comes in the first event only; ids are those that are new. */
function streamReader({ n }: EngineQuestion): StreamReader {
  const growing = growingOutputs(n);
  let promptIds: readonly number[] | null = null;
  let cachedTokens: number | null = null;
  return {
    push(event) {
      const { choices, usage: used } = readBody(NAME, completion, event);
      cachedTokens = used?.prompt_tokens_details?.cached_tokens ?? cachedTokens;
      return choices.flatMap((choice) => {
        promptIds ??= choice.prompt_token_ids ?? null;
        const ids = required(NAME, choice.token_ids, 'token ids (return_token_ids)');
        const logprobs =
          ids.length === 0 ? [] : required(NAME, choice.logprobs, 'log-probs').token_logprobs;
        const { finish_reason: reason, stop_reason: stop, index } = choice;
        return growing.add(index, ids, logprobs, (lastId) =>
          typeof reason === 'string' ? vllmFinish(NAME, reason, stop, lastId) : null,
        );
      });
    },
    finish: () => answerOf(growing.finish(), promptIds, cachedTokens),
  };
}

function answerOf(
  outputs: readonly TokenOutput[] | null,
  promptIds: readonly number[] | null,
  cachedTokens: number | null,
): DialectAnswer | null {
  return outputs && { outputs, promptIds, cachedTokens };
}

/** The first position has no log-prob: nothing stands before it. */
function positionScore(
  position: Readonly<Record<string, { readonly logprob: number }>> | null,
  id: number | undefined,
): PositionScore | null {
  if (position === null || id === undefined) return null;
  const own = required(NAME, position[String(id)], `log-prob of the id ${id}`);
  const ranked = Object.entries(position).sort(([, one], [, other]) => other.logprob - one.logprob);
  return {
    logprob: own.logprob,
    topIds: ranked.map(([name]) => Number(name)),
    topLogprobs: ranked.map(([, { logprob }]) => logprob),
  };
}
