import { ModelError, type TokenFinish } from '@hermes/protocol';
import { z } from 'zod';
import type { EngineDialect } from './engine-dialect.ts';
import { numbers, readBody, required, unknownFinish } from './read-body.ts';

const NAME = 'llama_cpp';

/**
 * The server of llama.cpp, by its own `/completion`. It gives no log-probs of tokens that are a piece
 * of a character, so answers with such tokens are refused; in a stream it leaves out their ids as
 * well, so it is not streamed.
 */
export const llamaCppCompletion: EngineDialect = {
  name: NAME,
  abort: 'connection',
  takesMany: () => false,
  question: ({ ids, sampling }) => ({
    method: 'POST',
    path: '/completion',
    body: {
      prompt: ids,
      n_predict: sampling.maxTokens,
      n_probs: 1,
      return_tokens: true,
      post_sampling_probs: false,
      temperature: sampling.temperature,
      top_k: sampling.topK,
      top_p: sampling.topP,
      min_p: sampling.minP,
      repeat_penalty: sampling.repetitionPenalty,
      frequency_penalty: sampling.frequencyPenalty,
      presence_penalty: sampling.presencePenalty,
      ...(sampling.seed !== undefined && { seed: sampling.seed }),
      ...(sampling.stop.length > 0 && { stop: sampling.stop }),
    },
  }),
  readAnswer(body) {
    const answer = readBody(NAME, completion, body);
    if (answer.truncated) throw shiftedOut();
    const ids = required(NAME, answer.tokens, 'token ids (return_tokens)');
    const positions = required(NAME, answer.completion_probabilities, 'log-probs (n_probs)');
    const logprobs = positions.map(({ id, logprob }, at) =>
      required(NAME, id === ids[at] ? logprob : null, `log-prob of the id ${ids[at]}`),
    );
    const finish = finishOf(answer.stop_type, answer.stopping_word ?? null, ids.at(-1));
    const cachedTokens = answer.timings?.cache_n ?? null;
    return {
      outputs: [{ ids, logprobs, finish, weightVersion: null }],
      promptIds: null,
      cachedTokens,
    };
  },
  tokenizing: {
    question: (_model, text) => ({
      method: 'POST',
      path: '/tokenize',
      body: { content: text, add_special: false, parse_special: true },
    }),
    read: (body) => readBody(NAME, z.object({ tokens: numbers }), body).tokens,
  },
};

const completion = z.object({
  tokens: numbers.nullish(),
  completion_probabilities: z.array(z.object({ id: z.number(), logprob: z.number() })).nullish(),
  stop_type: z.string().nullish(),
  stopping_word: z.string().nullish(),
  truncated: z.boolean().nullish(),
  timings: z.object({ cache_n: z.number().nullish() }).nullish(),
});

function finishOf(
  type: string | null | undefined,
  word: string | null,
  lastId: number | undefined,
): TokenFinish {
  if (type === 'limit') return { type: 'length' };
  if (type === 'eos') return { type: 'stop', matchedId: lastId ?? null, matchedText: null };
  if (type === 'word') return { type: 'stop', matchedId: null, matchedText: word };
  throw unknownFinish(NAME, type);
}

function shiftedOut(): ModelError {
  return new ModelError(
    'CONTEXT_OVERFLOW',
    'The llama_cpp server dropped a part of the prompt to make room: start it with a larger context (-c), or shorten the conversation.',
  );
}
