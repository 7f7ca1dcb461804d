import { field, type Theme, theme } from './_fields.ts';
import { between, decimal, integer, nullable } from './_kinds.ts';
import { texts } from './_structures.ts';

/** Section `env`: how answers are drawn; null = not sent. */
export type SamplingSettings = Readonly<{
  /** null = not sent. So with all that follow, up to the budgets. */
  agentTemperature: number | null;
  maxTokenLength: number | null;
  topP: number | null;
  topK: number | null;
  minP: number | null;
  samplingSeed: number | null;
  stop: readonly string[] | null;
  frequencyPenalty: number | null;
  presencePenalty: number | null;
  repetitionPenalty: number | null;
}>;

/** Its keys. */
export const samplingKeys: Theme<SamplingSettings> = theme(
  {
    agent_temperature: field(nullable(decimal(0)), 1, 'temperature of the model; null: not sent'),
    max_token_length: field(nullable(integer(1)), 2048, 'tokens of one answer; null: not sent'),
    top_p: field(nullable(between(0, 1, '0.95')), null, 'sent as it is; null: not sent'),
    top_k: field(nullable(integer(-1)), null, 'sent as it is; null: not sent'),
    min_p: field(nullable(between(0, 1, '0.05')), null, 'sent as it is; null: not sent'),
    sampling_seed: field(nullable(integer()), null, 'seed of the server; null: not sent'),
    stop: field(nullable(texts('["</answer>"]')), null, 'texts that end an answer'),
    frequency_penalty: field(
      nullable(between(-2, 2, '0.5')),
      null,
      'sent as it is; null: not sent',
    ),
    presence_penalty: field(nullable(between(-2, 2, '0.5')), null, 'sent as it is; null: not sent'),
    repetition_penalty: field(nullable(decimal(0)), null, 'sent as it is; null: not sent'),
  },
  (values) => ({
    agentTemperature: values.agent_temperature,
    maxTokenLength: values.max_token_length,
    topP: values.top_p,
    topK: values.top_k,
    minP: values.min_p,
    samplingSeed: values.sampling_seed,
    stop: values.stop,
    frequencyPenalty: values.frequency_penalty,
    presencePenalty: values.presence_penalty,
    repetitionPenalty: values.repetition_penalty,
  }),
);
