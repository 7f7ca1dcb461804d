import { positiveInteger, positiveNumber } from '../flag-values.ts';
import type { FlagGroup } from './flag-spec.ts';

/** Flags about how much a rollout may take. */
export const budgetFlags: FlagGroup = {
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
