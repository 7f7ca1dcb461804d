import { type JsonObject, ModelError, type TokenFinish, type TokenOutput } from '@hermes/protocol';
import { z } from 'zod';
import { refusal } from '../wire/wire-error.ts';
import type { EngineDialect, EngineQuestion, StreamReader } from './engine-dialect.ts';
import { growingOutputs } from './growing-outputs.ts';
import { numbers, readBody, required, unknownFinish } from './read-body.ts';

const NAME = 'sglang';

/** SGLang's own `/generate`; also what tinker-atropos serves. */
export const sglangGenerate: EngineDialect = {
  name: NAME,
  abort: 'engine',
  takesMany: () => true,
  question: (question) => ({ method: 'POST', path: '/generate', body: bodyOf(question) }),
  readAnswer(body, { ids }) {
    const answers = readBody(NAME, z.union([z.array(generation), generation]), body);
    const list = Array.isArray(answers) ? answers : [answers];
    const [first] = list;
    return {
      outputs: list.map((answer) => outputOf(answer)),
      promptIds: echoOf(first, ids),
      cachedTokens: first?.meta_info.cached_tokens ?? null,
    };
  },
  streaming: {
    question: (question) => ({
      method: 'POST',
      path: '/generate',
      body: { ...bodyOf(question), stream: true },
    }),
    reader: streamReader,
  },
  abortRequest: ({ requestId }) => ({
    method: 'POST',
    path: '/abort_request',
    body: { rid: requestId },
  }),
  scoring: {
    question: (_model, ids, topK) => ({
      method: 'POST',
      path: '/generate',
      body: {
        input_ids: ids,
        sampling_params: { max_new_tokens: 1, temperature: 0 },
        return_logprob: true,
        logprob_start_len: 0,
        top_logprobs_num: topK,
      },
    }),
    read(body, ids) {
      const { meta_info: info } = readBody(NAME, generation, body);
      const positions = required(NAME, info.input_token_logprobs, 'log-probs of the prompt');
      return ids.map((id, at) => {
        const [logprob, own] = positions[at] ?? [];
        if (logprob === null || logprob === undefined) return null;
        const top = info.input_top_logprobs?.[at] ?? [];
        return {
          logprob: required(NAME, own === id ? logprob : null, `log-prob of the id ${id}`),
          topIds: top.map(([, topId]) => topId),
          topLogprobs: top.map(([topLogprob]) => topLogprob ?? Number.NEGATIVE_INFINITY),
        };
      });
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

/** Keys that it does not know are refused, so each is written out here. */
function bodyOf({ ids, n, requestId, sampling, stopIds }: EngineQuestion): JsonObject {
  return {
    input_ids: ids,
    rid: requestId,
    return_logprob: true,
    return_text_in_logprobs: false,
    return_prompt_token_ids: true,
    sampling_params: {
      n,
      max_new_tokens: sampling.maxTokens,
      temperature: sampling.temperature,
      top_p: sampling.topP,
      top_k: sampling.topK > 0 ? sampling.topK : -1,
      min_p: sampling.minP,
      frequency_penalty: sampling.frequencyPenalty,
      presence_penalty: sampling.presencePenalty,
      repetition_penalty: sampling.repetitionPenalty,
      skip_special_tokens: false,
      ...(sampling.seed !== undefined && { sampling_seed: sampling.seed }),
      ...(sampling.stop.length > 0 && { stop: sampling.stop }),
      ...(stopIds.length > 0 && { stop_token_ids: stopIds }),
    },
  };
}

/** Log-prob, id, and a text that is not asked for; some builds give pairs. */
const position = z
  .tuple([z.number().nullable(), z.number()])
  .rest(z.unknown())
  .transform(([logprob, id]) => [logprob, id] as const);

const finishReason = z.union([
  z.string(),
  z.object({
    type: z.string(),
    matched: z.union([z.number(), z.string(), z.array(z.unknown())]).nullish(),
    message: z.string().nullish(),
    status_code: z.number().nullish(),
  }),
]);

const generation = z.object({
  index: z.number().nullish(),
  output_ids: numbers.nullish(),
  prompt_token_ids: numbers.nullish(),
  meta_info: z.object({
    finish_reason: finishReason.nullish(),
    output_token_logprobs: z.array(position).nullish(),
    input_token_logprobs: z.array(position).nullish(),
    input_top_logprobs: z.array(z.array(position).nullable()).nullish(),
    completion_tokens: z.number().nullish(),
    cached_tokens: z.number().nullish(),
    weight_version: z.union([z.string(), z.number()]).nullish(),
    weight_versions: z.array(z.object({ version: z.string() })).nullish(),
  }),
});

type Generation = z.infer<typeof generation>;

function outputOf(answer: Generation): TokenOutput {
  const { ids, logprobs } = tokensOf(answer);
  const counted = answer.meta_info.completion_tokens ?? ids.length;
  if (counted !== ids.length)
    throw new ModelError(
      'TOKENS_MISSING',
      `The sglang server counted ${counted} tokens and gave ${ids.length}: its answer cannot be trained on.`,
    );
  return {
    ids,
    logprobs,
    finish: finishOf(answer.meta_info.finish_reason, ids.at(-1)),
    weightVersion: weightVersion(answer),
  };
}

/** Older versions give the ids with the log-probs alone. */
function tokensOf({ output_ids: given, meta_info: info }: Generation) {
  const positions = required(NAME, info.output_token_logprobs, 'log-probs (return_logprob)');
  const ids = given ?? positions.map(([, id]) => id);
  const logprobs = positions.map(([logprob, id], at) =>
    required(NAME, id === ids[at] ? logprob : null, `log-prob of the id ${ids[at]}`),
  );
  return { ids, logprobs };
}

/** Some versions leave the prompt out; a length that they count is checked all the same. */
function echoOf(answer: Generation | undefined, sent: readonly number[]): readonly number[] | null {
  const echo = answer?.prompt_token_ids ?? null;
  return echo !== null && echo.length === 0 && sent.length > 0 ? null : echo;
}

/** An abort with a status is a refusal in the clothes of an answer. */
function finishOf(
  reason: Generation['meta_info']['finish_reason'],
  lastId: number | undefined,
): TokenFinish {
  const {
    type,
    matched,
    message,
    status_code: status,
  } = typeof reason === 'string' ? { type: reason } : (reason ?? { type: null });
  if (type === 'abort' && status !== null && status !== undefined)
    throw refusal('its address', status, message ?? '');
  if (type === 'length' || type === 'abort') return { type };
  if (type !== 'stop') throw unknownFinish(NAME, reason);
  if (typeof matched === 'string') return { type, matchedId: null, matchedText: matched };
  const matchedId = typeof matched === 'number' ? matched : (lastId ?? null);
  return { type, matchedId, matchedText: null };
}

function weightVersion({ meta_info: info }: Generation): string | null {
  const version = info.weight_versions?.at(-1)?.version ?? info.weight_version ?? null;
  return version === null ? null : String(version);
}

/** Each event holds all tokens so far; servers that are set to send only new ones are told by the count. */
function streamReader({ ids: sent, n }: EngineQuestion): StreamReader {
  const growing = growingOutputs(n);
  const seen = new Map<number, number>();
  let promptIds: readonly number[] | null = null;
  let cachedTokens: number | null = null;
  return {
    push(event) {
      const answer = readBody(NAME, generation, event);
      const choice = answer.index ?? 0;
      const {
        finish_reason: reason,
        completion_tokens: counted,
        cached_tokens: cached,
      } = answer.meta_info;
      const { ids, logprobs } = tokensOf(answer);
      const known = seen.get(choice) ?? 0;
      const from = ids.length === (counted ?? ids.length) ? known : 0;
      promptIds ??= echoOf(answer, sent);
      cachedTokens = cached ?? cachedTokens;
      seen.set(choice, known + ids.length - from);
      return growing.add(
        choice,
        ids.slice(from),
        logprobs.slice(from),
        (lastId) => (reason ? finishOf(reason, lastId) : null),
        weightVersion(answer),
      );
    },
    finish() {
      const outputs = growing.finish();
      return outputs && { outputs, promptIds, cachedTokens };
    },
  };
}
