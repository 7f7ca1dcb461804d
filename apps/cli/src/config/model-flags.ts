import { collectFilled, filled, jsonObject, positiveNumber } from '../flag-values.ts';
import type { FlagGroup } from './flag-spec.ts';

/** Flags about what plays. */
export const modelFlags: FlagGroup = {
  heading: 'Model:',
  flags: [
    {
      flags: '-m, --model <model>',
      description:
        'what plays: oracle, noop, openai:NAME, llama:FILE.gguf (default: the openai.model_name of --config)',
    },
    {
      flags: '--base-url <url>',
      description: 'of an OpenAI-compatible endpoint; repeatable: one model on several servers',
      parse: collectFilled,
      key: 'openai.base_url',
      toValue: (urls: readonly string[]) => (urls.length === 1 ? (urls[0] ?? '') : urls),
    },
    {
      flags: '--server-type <kind>',
      description:
        'vllm, sglang, trl, llama_cpp, runpod, ...: ask in tokens (default: its chat API; where tokens are needed, what it answers as)',
      key: 'openai.server_type',
    },
    {
      flags: '--tokenizer <name>',
      description: 'for tokens: a folder, a tokenizer.json, or a model in the cache of the hub',
      parse: filled,
      key: 'env.tokenizer_name',
    },
    {
      flags: '--api-key-env <variable>',
      description: 'the variable that holds the key (default: OPENAI_API_KEY)',
      key: 'openai.api_key_env',
    },
    {
      flags: '--parser <name>',
      description: 'reads tool calls out of plain text, for servers that do not',
      key: 'env.tool_call_parser',
    },
    {
      flags: '--extra-body <json>',
      description: 'put into each request as it is',
      parse: jsonObject,
      key: 'env.extra_body',
    },
    {
      flags: '--request-timeout <seconds>',
      description: 'of one request (default: 1200)',
      parse: positiveNumber,
      key: 'openai.timeout',
    },
    {
      flags: '--no-stream',
      description: 'ask for each answer as a whole',
      key: 'openai.streaming',
    },
    {
      flags: '--no-health-check',
      description: 'do not ask the endpoint before the run whether it is there',
      key: 'openai.health_check',
    },
  ],
};
