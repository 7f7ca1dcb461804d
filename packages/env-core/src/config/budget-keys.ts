import { field, type Theme, theme } from './_fields.ts';
import { decimal, integer, nullable, text } from './_kinds.ts';

/** Section `env`: how much a rollout may take, and how many run. */
export type BudgetSettings = Readonly<{
  /** Budgets of one rollout; null = none. */
  maxTotalTokens: number | null;
  maxOutputTokens: number | null;
  maxCostUsd: number | null;
  /** The agent's own time; what it did until then is verified. */
  agentTimeoutMs: number | null;
  /** Of the whole rollout; beyond it is errored. */
  rolloutTimeoutMs: number | null;
  /** Tries of a trial that an infrastructure failure ended. */
  maxTries: number;
  /** Rollouts at a time; null = as the command has it. */
  concurrency: number | null;
  /** Where the results of an evaluation are written beside its run; null = nowhere. */
  evaluationsFolder: string | null;
}>;

/** Its keys. */
export const budgetKeys: Theme<BudgetSettings> = theme(
  {
    max_total_tokens: field(
      nullable(integer(1)),
      null,
      'input and output of all calls of one rollout',
    ),
    max_output_tokens: field(nullable(integer(1)), null, 'output of all calls of one rollout'),
    max_cost: field(nullable(decimal(0)), null, 'USD of one rollout; needs openai.price'),
    agent_timeout: field(
      nullable(decimal(0.001)),
      null,
      'seconds of the agent; then what is there is verified',
    ),
    rollout_timeout: field(
      nullable(decimal(0.001)),
      null,
      'seconds of everything; then the rollout is errored',
    ),
    max_tries: field(integer(1), 3, 'tries of a rollout that an infrastructure failure ended'),
    data_dir_to_save_evals: field(
      nullable(text('evals')),
      null,
      'a folder that also gets the results: metrics.json, samples.jsonl',
      ['evaluate'],
    ),
    concurrency: field(nullable(integer(0)), null, 'rollouts at a time; null or 0: 4'),
  },
  (values) => ({
    maxTotalTokens: values.max_total_tokens,
    maxOutputTokens: values.max_output_tokens,
    maxCostUsd: values.max_cost,
    agentTimeoutMs: inMs(values.agent_timeout),
    rolloutTimeoutMs: inMs(values.rollout_timeout),
    maxTries: values.max_tries,
    evaluationsFolder: values.data_dir_to_save_evals,
    concurrency: values.concurrency === 0 ? null : values.concurrency,
  }),
);

function inMs(seconds: number | null): number | null {
  return seconds === null ? null : seconds * 1000;
}
