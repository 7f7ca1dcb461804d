/** What a model says after these ids: the sampled ids, a log-prob for each, and their text. */
export type SampleTokens = (
  ids: readonly number[],
  request: Readonly<{ maxTokens: number; stop: readonly string[] }>,
) => Readonly<{ ids: readonly number[]; logprobs: readonly number[]; text: string }>;

export type InferenceRoute = (body: InferenceBody) => unknown;

type InferenceBody = Readonly<{
  input_ids?: readonly number[];
  prompt?: string;
  messages?: readonly unknown[];
  text?: string;
  return_text?: boolean;
  max_tokens?: number;
  n?: number;
  stop?: string | readonly string[];
  sampling_params?: Readonly<{ n?: number; max_new_tokens?: number; stop?: readonly string[] }>;
}>;

/** The routes of tinker-atropos' inference server, with its defaults. Tools, top_p and the like are ignored, as there. */
export function inferenceRoutes(sample: SampleTokens): Readonly<Record<string, InferenceRoute>> {
  return {
    'GET /health': () => ({ status: 'ok' }),
    'GET /wandb_info': () => ({ group: null, project: null }),
    'POST /v1/completions': (body) => ({
      object: 'text_completion',
      choices: choicesOf(body, sample).map(({ text }, index) => ({
        index,
        text,
        finish_reason: 'stop',
      })),
    }),
    'POST /v1/chat/completions': (body) => ({
      object: 'chat.completion',
      choices: choicesOf(body, sample).map(({ text: content }, index) => ({
        index,
        message: { role: 'assistant', content },
        finish_reason: 'stop',
      })),
    }),
    'POST /generate': (body) => generate(body, sample),
    'POST /logprobs': (body) => logprobs(body, sample),
  };
}

function choicesOf(body: InferenceBody, sample: SampleTokens) {
  const { max_tokens: maxTokens = 100, n = 1, stop = [] } = body;
  const ids = textIds(body.prompt ?? JSON.stringify(body.messages ?? []));
  return Array.from({ length: n }, () => sample(ids, { maxTokens, stop: [stop].flat() }));
}

/** SGLang's shape: an object for one answer, a list for several. The finish reason is always the bare word. */
function generate(
  { input_ids: ids = [], sampling_params = {} }: InferenceBody,
  sample: SampleTokens,
) {
  const { n = 1, max_new_tokens: maxTokens = 256, stop = [] } = sampling_params;
  const answers = Array.from({ length: n }, () => {
    const sampled = sample(ids, { maxTokens, stop });
    return {
      text: sampled.text,
      output_ids: sampled.ids,
      meta_info: {
        prompt_tokens: ids.length,
        completion_tokens: sampled.ids.length,
        finish_reason: 'stop',
        output_token_logprobs: sampled.ids.map((id, index) => [sampled.logprobs[index], id, null]),
      },
    };
  });
  return n === 1 ? answers[0] : answers;
}

function logprobs(
  { input_ids, text = '', return_text = false }: InferenceBody,
  sample: SampleTokens,
) {
  const ids = input_ids ?? textIds(text);
  const { logprobs: scored } = sample(ids, { maxTokens: ids.length, stop: [] });
  return { logprobs: scored, ...(return_text && { text }) };
}

/** Without a tokenizer a character is a token. */
function textIds(text: string): readonly number[] {
  return [...text].map((character) => character.codePointAt(0) ?? 0);
}
