import type { JsonObject } from '@hermes/protocol';
import type { Command } from 'commander';
import { budgetFlags } from './budget-flags.ts';
import { addFlags, type FlagGroup } from './flag-spec.ts';
import { modelFlags } from './model-flags.ts';
import { placeFlags } from './place-flags.ts';
import { samplingFlags } from './sampling-flags.ts';

/** The flags that `evaluate`, `process` and `serve` have in common, as they were given; what was not given is absent. */
export interface RunFlags {
  readonly model?: string;
  readonly baseUrl?: readonly string[];
  readonly serverType?: string;
  readonly tokenizer?: string;
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

/** By theme, in the order of `--help`. */
export const runFlagGroups: readonly FlagGroup[] = [
  modelFlags,
  samplingFlags,
  budgetFlags,
  placeFlags,
];
