import type { TokenOutput } from '@hermes/protocol';
import { z } from 'zod';
import type { EngineDialect } from './engine-dialect.ts';
import { numbers, readBody, required } from './read-body.ts';
import { takesManyOnVllm, vllmFinish, vllmSampling } from './vllm-completions.ts';

const NAME = 'atropos_vllm';

/** The vLLM server that Atropos' trainer starts, by its own `/generate`. */
export const atroposVllm: EngineDialect = {
  name: NAME,
  abort: 'connection',
  takesMany: takesManyOnVllm,
  question: (question) => ({
    method: 'POST',
    path: '/generate',
    body: { prompt: { prompt_token_ids: question.ids }, ...vllmSampling(question), logprobs: 0 },
  }),
  readAnswer(body) {
    const answer = readBody(NAME, generation, body);
    const ids = required(NAME, answer.token_ids, 'token ids');
    return {
      outputs: ids.map((own, choice) => outputOf(own, answer, choice)),
      promptIds: answer.prompt_token_ids ?? null,
      cachedTokens: null,
    };
  },
};

/** The log-probs of one position by id; some builds put it into a list of its own. */
const byId = z.record(z.string(), z.number());
const position = z.union([byId, z.array(byId).transform((list) => Object.assign({}, ...list))]);

const generation = z.object({
  finish_reasons: z.array(z.string().nullable()),
  logprobs: z.array(z.array(position)).nullish(),
  prompt_token_ids: numbers.nullish(),
  token_ids: z.array(numbers).nullish(),
});

function outputOf(
  ids: readonly number[],
  { finish_reasons: reasons, logprobs }: z.infer<typeof generation>,
  choice: number,
): TokenOutput {
  const positions: readonly Readonly<Record<string, number>>[] = required(
    NAME,
    logprobs?.[choice],
    'log-probs',
  );
  return {
    ids,
    logprobs: positions.map((scores, at) =>
      required(NAME, scores[String(ids[at])], `log-prob of the id ${ids[at]}`),
    ),
    finish: vllmFinish(NAME, reasons[choice], null, ids.at(-1)),
    weightVersion: null,
  };
}
