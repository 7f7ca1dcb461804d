import type { JsonObject } from '@hermes/protocol';
import { field, type Theme, theme, unread } from './_fields.ts';
import { integer, nullable, text } from './_kinds.ts';
import { counts, list, object } from './_structures.ts';

/** Section `env`: what the model is given, and what it sees. */
export type AgentSettings = Readonly<{
  enabledToolsets: readonly string[] | null;
  disabledToolsets: readonly string[] | null;
  distribution: string | null;
  maxAgentTurns: number;
  systemPrompt: string | null;
  extraBody: JsonObject | null;
  toolPoolSize: number;
  /** Reads tool calls out of plain text; null = the server reads them. */
  toolCallParser: string | null;
  /** Of a model in token space: a folder, a `tokenizer.json`, or a name on the hub; null = that of the model's name. */
  tokenizerName: string | null;
  resultChars: number;
  turnChars: number;
  previewChars: number;
  toolResultOverrides: Readonly<Record<string, number>> | null;
  datasetName: string | null;
  datasetSplit: string;
  promptField: string;
}>;

/** Its keys. */
export const agentKeys: Theme<AgentSettings> = theme(
  {
    enabled_toolsets: field(
      nullable(list()),
      null,
      'toolsets that the model gets; null: those of the environment',
    ),
    disabled_toolsets: field(nullable(list()), null, 'toolsets that are taken away again'),
    distribution: field(
      nullable(text('development')),
      null,
      'draws the toolsets once a group, by this table',
    ),
    max_agent_turns: field(integer(1), 30, 'model calls of one rollout'),
    system_prompt: field(nullable(text('Be brief.')), null, 'stands before every conversation'),
    tool_call_parser: field(
      nullable(text('hermes')),
      null,
      'reads tool calls out of plain text; null: the server does',
    ),
    tokenizer_name: field(
      nullable(text('Qwen/Qwen3-4B')),
      null,
      'tokenizer of a model in token space: folder, tokenizer.json or name on the hub; null: by the model',
    ),
    extra_body: field(nullable(object('{ top_k: 20 }')), null, 'put into each request as it is'),
    tool_pool_size: field(integer(1), 128, 'tool calls at a time, of all rollouts'),
    default_result_size_chars: field(integer(1), 100_000, 'characters of one tool result'),
    turn_budget_chars: field(integer(1), 200_000, 'characters of all tool results of one turn'),
    preview_size_chars: field(
      integer(0),
      1_500,
      'characters that are left of a result that is too long',
    ),
    tool_result_overrides: field(nullable(counts()), null, 'characters of one result, by tool'),
    dataset_name: unread(
      nullable(text('openai/gsm8k')),
      null,
      'the data set, where an environment asks for it',
    ),
    dataset_split: unread(
      text('train'),
      'train',
      'the split of the data set, where an environment asks for it',
    ),
    prompt_field: unread(
      text('prompt'),
      'prompt',
      'the column of the prompt, where an environment asks for it',
    ),
  },
  (values) => ({
    enabledToolsets: values.enabled_toolsets,
    disabledToolsets: values.disabled_toolsets,
    distribution: values.distribution,
    maxAgentTurns: values.max_agent_turns,
    systemPrompt: values.system_prompt,
    extraBody: values.extra_body,
    toolPoolSize: values.tool_pool_size,
    toolCallParser: values.tool_call_parser,
    tokenizerName: values.tokenizer_name,
    resultChars: values.default_result_size_chars,
    turnChars: values.turn_budget_chars,
    previewChars: values.preview_size_chars,
    toolResultOverrides: values.tool_result_overrides,
    datasetName: values.dataset_name,
    datasetSplit: values.dataset_split,
    promptField: values.prompt_field,
  }),
);
