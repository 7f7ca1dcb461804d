import type { TokenOutput } from '@hermes/protocol';
import { z } from 'zod';
import type { EngineDialect } from './engine-dialect.ts';
import { logprobList, numbers, readBody, required } from './read-body.ts';
import { takesManyOnVllm, vllmFinish, vllmSampling } from './vllm-completions.ts';

const NAME = 'openai';

/**
 * Any OpenAI-compatible server that gives token ids with its completions, in whichever way it does:
 * beside the text (vLLM, SGLang), with each log-prob (llama.cpp), or as the names of the tokens.
 */
export const openAiCompletions: EngineDialect = {
  name: NAME,
  abort: 'connection',
  takesMany: takesManyOnVllm,
  question: (question) => ({
    method: 'POST',
    path: '/v1/completions',
    body: {
      model: question.model,
      prompt: question.ids,
      ...vllmSampling(question),
      logprobs: 1,
      return_token_ids: true,
      return_tokens_as_token_ids: true,
    },
  }),
  readAnswer(body) {
    const { choices, usage } = readBody(NAME, completion, body);
    const sorted = [...choices].sort((one, other) => one.index - other.index);
    return {
      outputs: sorted.map(outputOf),
      promptIds: sorted[0]?.prompt_token_ids ?? null,
      cachedTokens: usage?.prompt_tokens_details?.cached_tokens ?? null,
    };
  },
};

const named = z.object({
  token_logprobs: logprobList,
  tokens: z.array(z.string()).nullish(),
});
const listed = z.object({
  content: z.array(z.object({ id: z.number().nullish(), logprob: z.number() })),
});

const completion = z.object({
  choices: z.array(
    z.object({
      index: z.number(),
      token_ids: numbers.nullish(),
      prompt_token_ids: numbers.nullish(),
      logprobs: z.union([named, listed]).nullish(),
      finish_reason: z.string().nullish(),
      stop_reason: z.union([z.number(), z.string()]).nullish(),
      matched_stop: z.union([z.number(), z.string()]).nullish(),
    }),
  ),
  usage: z
    .object({ prompt_tokens_details: z.object({ cached_tokens: z.number().nullish() }).nullish() })
    .nullish(),
});

type Choice = z.infer<typeof completion>['choices'][number];

function outputOf(choice: Choice): TokenOutput {
  const ids = required(NAME, idsOf(choice), 'token ids');
  const logprobs = required(NAME, choice.logprobs, 'log-probs');
  const stop = choice.stop_reason ?? choice.matched_stop;
  return {
    ids,
    logprobs:
      'content' in logprobs
        ? logprobs.content.map(({ logprob }) => logprob)
        : logprobs.token_logprobs,
    finish: vllmFinish(NAME, choice.finish_reason, stop, ids.at(-1)),
    weightVersion: null,
  };
}

/** null = the server gives none: it is one to talk to, not one to train with. */
function idsOf({ token_ids: ids, logprobs }: Choice): readonly number[] | null {
  if (ids !== null && ids !== undefined) return ids;
  if (logprobs === null || logprobs === undefined) return null;
  const found =
    'content' in logprobs
      ? logprobs.content.map(({ id }) => id ?? Number.NaN)
      : (logprobs.tokens ?? []).map((name) =>
          Number(/^token_id:(\d+)$/.exec(name)?.[1] ?? Number.NaN),
        );
  return found.every(Number.isSafeInteger) && found.length > 0 ? found : null;
}
