import type { TokenFinish, TokenOutput } from '@hermes/protocol';
import { z } from 'zod';
import type { EngineDialect, EngineQuestion } from './engine-dialect.ts';
import { numbers, readBody, required, unknownFinish } from './read-body.ts';

const NAME = 'trl';

/** The vLLM server of TRL (`trl vllm-serve`). */
export const trlGenerate: EngineDialect = {
  name: NAME,
  abort: 'connection',
  takesMany: ({ temperature }) => temperature > 0,
  question: ({ ids, n, sampling, stopIds }) => ({
    method: 'POST',
    path: '/generate/',
    body: {
      prompts: [ids],
      n,
      max_tokens: sampling.maxTokens,
      temperature: sampling.temperature,
      top_p: sampling.topP,
      top_k: sampling.topK > 0 ? sampling.topK : -1,
      min_p: sampling.minP,
      repetition_penalty: sampling.repetitionPenalty,
      logprobs: 0,
      generation_kwargs: {
        frequency_penalty: sampling.frequencyPenalty,
        presence_penalty: sampling.presencePenalty,
        ...(sampling.seed !== undefined && { seed: sampling.seed }),
        ...(sampling.stop.length > 0 && { stop: sampling.stop }),
        ...(stopIds.length > 0 && { stop_token_ids: stopIds }),
      },
    },
  }),
  readAnswer(body, question) {
    const answer = readBody(NAME, generation, body);
    return {
      outputs: answer.completion_ids.map((ids, at) => outputOf(answer, question, ids, at)),
      promptIds: answer.prompt_ids[0] ?? null,
      cachedTokens: null,
    };
  },
};

const generation = z.object({
  prompt_ids: z.array(numbers),
  completion_ids: z.array(numbers),
  /** The best few of each position; one number in older versions. */
  logprobs: z.array(z.array(z.union([numbers, z.number()]))).nullish(),
  logprob_token_ids: z.array(z.array(numbers)).nullish(),
});

function outputOf(
  { logprobs, logprob_token_ids: ranked }: z.infer<typeof generation>,
  question: EngineQuestion,
  ids: readonly number[],
  sequence: number,
): TokenOutput {
  const positions = required(NAME, logprobs?.[sequence], 'log-probs');
  return {
    ids,
    logprobs: positions.map((scores, at) => {
      if (typeof scores === 'number') return scores;
      const place = ranked?.[sequence]?.[at]?.indexOf(ids[at] ?? -1) ?? 0;
      return required(NAME, scores[place], `log-prob of the id ${ids[at]}`);
    }),
    finish: finishOf(question, ids),
    weightVersion: null,
  };
}

/** The server gives no reason: it follows from the tokens. */
function finishOf({ sampling, stopIds }: EngineQuestion, ids: readonly number[]): TokenFinish {
  const lastId = ids.at(-1);
  if (lastId !== undefined && stopIds.includes(lastId))
    return { type: 'stop', matchedId: lastId, matchedText: null };
  if (ids.length >= sampling.maxTokens) return { type: 'length' };
  if (sampling.stop.length > 0) return { type: 'stop', matchedId: null, matchedText: null };
  throw unknownFinish(NAME, null);
}
