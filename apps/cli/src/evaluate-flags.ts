import type { ItemFlags } from './config/item-flags.ts';
import type { RunFlags } from './config/run-flags.ts';

/** The flags of `hermes evaluate` as they were given; what was not given is absent. */
export type EvaluateFlags = RunFlags &
  ItemFlags &
  Readonly<{
    attempts?: number;
    runDir?: string;
    resume?: boolean;
    retry?: readonly string[];
    json?: boolean;
  }>;
