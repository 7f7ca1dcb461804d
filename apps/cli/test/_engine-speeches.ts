import type { FakeEngineAnswer, FakeEngineRequest } from '@hermes/managed-server/testing';

/** What a server was sent, and what it sampled. */
export type Sampled = Readonly<{
  prompt: readonly number[];
  ids: readonly number[];
  logprobs: readonly number[];
}>;

/** The kinds of servers that tests have. */
export type EngineKind =
  | 'vllm'
  | 'openai'
  | 'sglang'
  | 'trl'
  | 'llama_cpp'
  | 'atropos_vllm'
  | 'runpod_queue'
  | 'runpod_gateway';

/** How one kind of server says an answer. undefined = it does not know the path. */
type Speech = (request: FakeEngineRequest, ask: Ask) => FakeEngineAnswer | undefined;

/** Samples an answer to a prompt. */
export type Ask = (prompt: unknown) => Sampled;

/** What is inside of a RunPod job. */
export function jobInput(body: unknown): Readonly<Record<string, unknown>> {
  return Object(Reflect.get(Object(body), 'input'));
}

const vllm: Speech = ({ path, body }, ask) => {
  if (path === '/version') return { body: { version: '0.32.0' } };
  if (path !== '/v1/completions') return undefined;
  const { ids, logprobs, prompt } = ask(Reflect.get(Object(body), 'prompt'));
  const choice = {
    index: 0,
    token_ids: ids,
    prompt_token_ids: prompt,
    logprobs: { token_logprobs: logprobs },
    finish_reason: 'stop',
  };
  const isStreamed = Reflect.get(Object(body), 'stream') === true;
  return isStreamed ? { events: [{ choices: [choice] }] } : { body: { choices: [choice] } };
};

function generation({ ids, logprobs }: Sampled) {
  const finish = { type: 'stop', matched: ids.at(-1) };
  const scores = ids.map((id, at) => [logprobs[at], id, null]);
  return {
    output_ids: ids,
    meta_info: { finish_reason: finish, output_token_logprobs: scores, weight_version: '7' },
  };
}

const inputIds = (body: unknown): unknown => Reflect.get(Object(body), 'input_ids');

/** How each kind of server says an answer. */
export const speeches: Readonly<Record<EngineKind, Speech>> = {
  vllm,
  openai: vllm,
  sglang: ({ path, body }, ask) => {
    if (path === '/get_model_info') return { body: { model_path: '/models/tiny' } };
    return path === '/generate' ? { events: [generation(ask(inputIds(body)))] } : undefined;
  },
  trl: ({ path, body }, ask) => {
    if (path === '/get_world_size/') return { body: { world_size: 1 } };
    if (path !== '/generate/') return undefined;
    const [given] = Reflect.get(Object(body), 'prompts') as readonly unknown[];
    const { ids, logprobs, prompt } = ask(given);
    return {
      body: {
        prompt_ids: [prompt],
        completion_ids: [ids],
        logprobs: [logprobs.map((one) => [one])],
      },
    };
  },
  llama_cpp: ({ path, body }, ask) => {
    if (path === '/props') return { body: { total_slots: 1 } };
    if (path !== '/completion') return undefined;
    const { ids, logprobs } = ask(Reflect.get(Object(body), 'prompt'));
    const scores = ids.map((id, at) => ({ id, logprob: logprobs[at] }));
    return { body: { tokens: ids, completion_probabilities: scores, stop_type: 'eos' } };
  },
  atropos_vllm: ({ path, body }, ask) => {
    if (path !== '/generate') return undefined;
    const { prompt_token_ids: given } = Reflect.get(Object(body), 'prompt') as Record<
      string,
      unknown
    >;
    const { ids, logprobs, prompt } = ask(given);
    const scores = ids.map((id, at) => [{ [id]: logprobs[at] }]);
    return {
      body: {
        finish_reasons: ['stop'],
        logprobs: [scores],
        prompt_token_ids: prompt,
        token_ids: [ids],
      },
    };
  },
  /** A queue of jobs in front of SGLang: the answer comes in the list of a job. */
  runpod_queue: ({ path, body }, ask) => {
    if (!path.endsWith('/runsync')) return undefined;
    const output = [generation(ask(inputIds(jobInput(body))))];
    return { body: { id: 'sync-1', status: 'COMPLETED', output } };
  },
  /** The gateway in front of it: the answer is JSON in a JSON text. */
  runpod_gateway: ({ path, body }, ask) =>
    path.endsWith('/openai/generate')
      ? { body: JSON.stringify(generation(ask(inputIds(body)))) }
      : undefined,
};
