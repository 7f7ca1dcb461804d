import { collect, decimalNumber, orNone, positiveInteger, wholeNumber } from '../flag-values.ts';
import type { FlagGroup } from './flag-spec.ts';

/** Flags about how answers are drawn. */
export const samplingFlags: FlagGroup = {
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
