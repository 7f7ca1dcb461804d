import type { JsonObject } from '@hermes/protocol';
import type { Command } from 'commander';
import {
  collect,
  collectFilled,
  decimalNumber,
  filled,
  jsonObject,
  orNone,
  positiveInteger,
  positiveNumber,
  truthValue,
  wholeNumber,
} from '../flag-values.ts';
import { addFlags, type FlagGroup } from './flag-spec.ts';
import { placeOfData, placeOfPath } from './places.ts';

/** The flags that `evaluate`, `process` and `serve` have in common, as they were given; what was not given is absent. */
export interface RunFlags {
  readonly model?: string;
  readonly baseUrl?: readonly string[];
  readonly apiKeyEnv?: string;
  readonly parser?: string;
  readonly extraBody?: JsonObject;
  readonly requestTimeout?: number;
  readonly stream: boolean;
  readonly healthCheck: boolean;
  /** null: it is not sent. */
  readonly temperature?: number | null;
  readonly maxTokens?: number | null;
  readonly topP?: number;
  readonly topK?: number;
  readonly minP?: number;
  readonly samplingSeed?: number;
  readonly stop?: readonly string[];
  readonly frequencyPenalty?: number;
  readonly presencePenalty?: number;
  readonly repetitionPenalty?: number;
  readonly maxTurns?: number;
  readonly maxTotalTokens?: number;
  readonly maxOutputTokens?: number;
  readonly maxCost?: number;
  readonly agentTimeout?: number;
  readonly rolloutTimeout?: number;
  readonly maxTries?: number;
  readonly path?: string;
  readonly dataset?: string;
  readonly sandbox?: string;
  readonly concurrency?: number;
  readonly seed?: number;
  readonly config?: string;
  /** Flags of the original that have no effect. */
  readonly slurm?: boolean;
  readonly testing?: boolean;
}

/** Adds them to a command; its own come after. */
export function addRunFlags(command: Command): void {
  addFlags(command, runFlagGroups);
}

const model: FlagGroup = {
  heading: 'Model:',
  flags: [
    {
      flags: '-m, --model <model>',
      description:
        'what plays: oracle, noop, openai:NAME (default: the openai.model_name of --config)',
    },
    {
      flags: '--base-url <url>',
      description: 'of an OpenAI-compatible endpoint; repeatable: one model on several servers',
      parse: collectFilled,
      key: 'openai.base_url',
      toValue: (urls: readonly string[]) => (urls.length === 1 ? (urls[0] ?? '') : urls),
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

const sampling: FlagGroup = {
  heading: 'Sampling (what is not given is left to the server):',
  flags: [
    {
      flags: '--temperature <n>',
      description: 'or none (default: 1)',
      parse: orNone(decimalNumber),
      key: 'env.agent_temperature',
    },
    {
      flags: '--max-tokens <n>',
      description: 'of one answer, or none (default: 2048)',
      parse: orNone(positiveInteger),
      key: 'env.max_token_length',
    },
    {
      flags: '--top-p <n>',
      description: 'from 0 to 1',
      parse: decimalNumber,
      key: 'env.top_p',
    },
    {
      flags: '--top-k <n>',
      description: 'a whole number',
      parse: decimalNumber,
      key: 'env.top_k',
    },
    {
      flags: '--min-p <n>',
      description: 'from 0 to 1',
      parse: decimalNumber,
      key: 'env.min_p',
    },
    {
      flags: '--sampling-seed <n>',
      description: 'seed of the server',
      parse: wholeNumber,
      key: 'env.sampling_seed',
    },
    {
      flags: '--stop <text>',
      description: 'ends an answer; repeatable',
      parse: collect,
      key: 'env.stop',
    },
    {
      flags: '--frequency-penalty <n>',
      description: 'from -2 to 2',
      parse: decimalNumber,
      key: 'env.frequency_penalty',
    },
    {
      flags: '--presence-penalty <n>',
      description: 'from -2 to 2',
      parse: decimalNumber,
      key: 'env.presence_penalty',
    },
    {
      flags: '--repetition-penalty <n>',
      description: '1 is none',
      parse: decimalNumber,
      key: 'env.repetition_penalty',
    },
  ],
};

const budgets: FlagGroup = {
  heading: 'Budgets of one rollout:',
  flags: [
    {
      flags: '--max-turns <n>',
      description: 'model calls (default: 30)',
      parse: positiveInteger,
      key: 'env.max_agent_turns',
    },
    {
      flags: '--max-total-tokens <n>',
      description: 'input and output of all calls',
      parse: positiveInteger,
      key: 'env.max_total_tokens',
    },
    {
      flags: '--max-output-tokens <n>',
      description: 'output of all calls',
      parse: positiveInteger,
      key: 'env.max_output_tokens',
    },
    {
      flags: '--max-cost <usd>',
      description: 'needs a price: openai.price in --config',
      parse: positiveNumber,
      key: 'env.max_cost',
    },
    {
      flags: '--agent-timeout <seconds>',
      description: 'then what is there is verified',
      parse: positiveNumber,
      key: 'env.agent_timeout',
    },
    {
      flags: '--rollout-timeout <seconds>',
      description: 'of everything; then it is errored',
      parse: positiveNumber,
      key: 'env.rollout_timeout',
    },
    {
      flags: '--max-tries <n>',
      description: 'after infrastructure failures (default: 3)',
      parse: positiveInteger,
      key: 'env.max_tries',
    },
  ],
};

const places: FlagGroup = {
  heading: 'Configuration and places:',
  flags: [
    {
      flags: '-c, --config <file>',
      description: 'YAML with the sections env and openai; flags win over it',
      parse: filled,
    },
    {
      flags: '-p, --path <folder>',
      description: 'for tasks: one task folder, or a folder of them',
      parse: filled,
      key: 'env.path',
      toValue: placeOfPath,
    },
    {
      flags: '-d, --dataset <path>',
      description: 'for environments over a data set: a file instead of the hub',
      parse: filled,
      key: 'env.dataset',
      toValue: placeOfData,
    },
    {
      flags: '-s, --sandbox <provider>',
      description:
        'local, bubblewrap, host, docker, ssh, slot-pool, a package, or a path (default: local)',
      key: 'env.terminal_backend',
    },
    {
      flags: '-n, --concurrency <n>',
      description: 'rollouts at a time (default: 4)',
      parse: positiveInteger,
      key: 'env.concurrency',
    },
    {
      flags: '--seed <n>',
      description: 'seed of everything random here (default: 0)',
      parse: wholeNumber,
    },
    {
      flags: '--slurm [flag]',
      description: 'of older command lines; it has no effect',
      parse: truthValue,
    },
    {
      flags: '--testing [flag]',
      description: 'of older command lines; it has no effect',
      parse: truthValue,
    },
  ],
};

/** By theme, in the order of `--help`. */
export const runFlagGroups: readonly FlagGroup[] = [model, sampling, budgets, places];
