import type { JsonObject, TokenOutput } from '@hermes/protocol';
import { z } from 'zod';
import type { EngineDialect, EngineQuestion, StreamReader } from './engine-dialect.ts';
import { growingOutputs } from './growing-outputs.ts';
import { numbers, readBody, required } from './read-body.ts';
import {
  takesManyOnVllm,
  vllmAbort,
  vllmCompletions,
  vllmFinish,
  vllmSampling,
} from './vllm-completions.ts';

const NAME = 'vllm_inference';

/** vLLM's own route for token ids, `/inference/v1/generate`: it also tells the version of the weights. */
export const vllmInference: EngineDialect = {
  name: NAME,
  abort: 'engine',
  takesMany: takesManyOnVllm,
  question: (question) => ({
    method: 'POST',
    path: '/inference/v1/generate',
    body: bodyOf(question),
  }),
  readAnswer(body) {
    const answer = readBody(NAME, generation, body);
    const choices = [...answer.choices].sort((one, other) => one.index - other.index);
    return {
      outputs: choices.map(outputOf),
      promptIds: answer.prompt_token_ids ?? null,
      cachedTokens: answer.usage?.prompt_tokens_details?.cached_tokens ?? null,
    };
  },
  streaming: {
    question: (question) => ({
      method: 'POST',
      path: '/inference/v1/generate',
      body: { ...bodyOf(question), stream: true },
    }),
    reader: streamReader,
  },
  abortRequest: ({ requestId }) => vllmAbort(`generate-tokens-${requestId}`),
  ...(vllmCompletions.scoring && { scoring: vllmCompletions.scoring }),
  ...(vllmCompletions.tokenizing && { tokenizing: vllmCompletions.tokenizing }),
};

function bodyOf(question: EngineQuestion): JsonObject {
  return {
    model: question.model,
    token_ids: question.ids,
    sampling_params: { ...vllmSampling(question), logprobs: 0 },
    return_token_ids: true,
    request_id: question.requestId,
  };
}

/** Newer versions name the id, older ones write it into the name of the token. */
const position = z
  .object({ token_id: z.number().nullish(), token: z.string().nullish(), logprob: z.number() })
  .transform(({ token_id: id, token, logprob }) => ({ id: id ?? namedId(token ?? ''), logprob }));

function namedId(token: string): number {
  return Number(/^token_id:(\d+)$/.exec(token)?.[1] ?? Number.NaN);
}

const generation = z.object({
  choices: z.array(
    z.object({
      index: z.number(),
      token_ids: numbers.nullish(),
      logprobs: z.object({ content: z.array(position) }).nullish(),
      finish_reason: z.string().nullish(),
      stop_reason: z.union([z.number(), z.string()]).nullish(),
      weight_versions: z.array(z.object({ version: z.string() })).nullish(),
    }),
  ),
  prompt_token_ids: numbers.nullish(),
  usage: z
    .object({ prompt_tokens_details: z.object({ cached_tokens: z.number().nullish() }).nullish() })
    .nullish(),
});

type Choice = z.infer<typeof generation>['choices'][number];

function outputOf(choice: Choice): TokenOutput {
  const ids = required(NAME, choice.token_ids, 'token ids');
  return {
    ids,
    logprobs: logprobsOf(choice, ids),
    finish: vllmFinish(NAME, choice.finish_reason, choice.stop_reason, ids.at(-1)),
    weightVersion: choice.weight_versions?.at(-1)?.version ?? null,
  };
}

/** A log-prob that belongs to another id counts as missing. */
function logprobsOf({ logprobs }: Choice, ids: readonly number[]): readonly number[] {
  if (ids.length === 0) return [];
  const content = required(NAME, logprobs, 'log-probs').content;
  return content.map(({ id, logprob }, at) =>
    required(NAME, id === ids[at] ? logprob : null, `log-prob of the id ${ids[at]}`),
  );
}

function streamReader({ n }: EngineQuestion): StreamReader {
  const growing = growingOutputs(n);
  let promptIds: readonly number[] | null = null;
  let cachedTokens: number | null = null;
  return {
    push(event) {
      const part = readBody(NAME, generation, event);
      promptIds ??= part.prompt_token_ids ?? null;
      cachedTokens = part.usage?.prompt_tokens_details?.cached_tokens ?? cachedTokens;
      return part.choices.flatMap((choice) => {
        const { index, finish_reason: reason, stop_reason: stop } = choice;
        const ids = choice.token_ids ?? [];
        const finishOf = (lastId: number | undefined) =>
          typeof reason === 'string' ? vllmFinish(NAME, reason, stop, lastId) : null;
        const version = choice.weight_versions?.at(-1)?.version ?? null;
        return growing.add(index, ids, logprobsOf(choice, ids), finishOf, version);
      });
    },
    finish() {
      const outputs = growing.finish();
      return outputs && { outputs, promptIds, cachedTokens };
    },
  };
}
