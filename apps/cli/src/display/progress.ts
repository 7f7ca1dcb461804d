import type { RunEvent } from '@hermes/env-core';
import type { RolloutEvent, RolloutRecord } from '@hermes/protocol';
import { printable } from './format.ts';

/** What a display shows of a run that is still going on. Counts are of trials; unknown tokens or cost are null. */
export interface Progress {
  readonly planned: number;
  readonly resumed: number;
  readonly running: number;
  readonly verifying: number;
  readonly passed: number;
  readonly failed: number;
  readonly errored: number;
  readonly tokens: number | null;
  readonly costUsd: number | null;
}

/** Follows a run by its events. One object per run. */
export class ProgressTracker {
  #planned = 0;
  #resumed = 0;
  #passed = 0;
  #failed = 0;
  #errored = 0;
  #tokens: number | null = 0;
  #costUsd: number | null = 0;
  readonly #running = new Set<string>();
  readonly #verifying = new Set<string>();
  readonly #names = new Map<string, string>();

  run(event: RunEvent): void {
    if (event.type === 'run_start') this.#start(event.planned, event.resumed);
    if (event.type === 'trial_queued' || event.type === 'trial_start')
      this.#names.set(event.trialKey, `${event.itemId} #${event.attempt + 1}`);
    if (event.type === 'trial_start') this.#running.add(event.trialKey);
    if (event.type === 'trial_end') this.#end(event.trialKey, event.outcome);
  }

  rollout(event: RolloutEvent): void {
    if (event.type === 'phase_start' && event.phase === 'verify')
      this.#verifying.add(event.rolloutId);
    if (event.type === 'phase_end' && event.phase === 'verify')
      this.#verifying.delete(event.rolloutId);
    if (event.type === 'rollout_end') this.#verifying.delete(event.rolloutId);
  }

  record(record: RolloutRecord): void {
    this.#tokens = addKnown(this.#tokens, record.usage.totalTokens);
    this.#costUsd = addKnown(this.#costUsd, record.costUsd);
  }

  /** `item #attempt`, the name that people see. */
  nameOf(trialKey: string): string {
    return printable(this.#names.get(trialKey) ?? trialKey.slice(0, 12));
  }

  now(): Progress {
    return {
      planned: this.#planned,
      resumed: this.#resumed,
      running: this.#running.size,
      verifying: this.#verifying.size,
      passed: this.#passed,
      failed: this.#failed,
      errored: this.#errored,
      tokens: this.#tokens,
      costUsd: this.#costUsd,
    };
  }

  #start(planned: number, resumed: number): void {
    this.#planned = planned;
    this.#resumed = resumed;
  }

  #end(trialKey: string, outcome: 'passed' | 'failed' | 'errored'): void {
    this.#running.delete(trialKey);
    if (outcome === 'passed') this.#passed += 1;
    if (outcome === 'failed') this.#failed += 1;
    if (outcome === 'errored') this.#errored += 1;
  }
}

function addKnown(sum: number | null, value: number | null): number | null {
  return sum === null || value === null ? null : sum + value;
}
