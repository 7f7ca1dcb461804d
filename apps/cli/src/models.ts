import type { OpenModel } from '@hermes/env-core';

/** A model as a run uses it. */
export interface ChosenModel {
  readonly provider: string;
  readonly modelId: string;
  readonly open: OpenModel;
}

/** One kind of model that `--model` can name: `NAME`, or `NAME:REST` where it takes a rest. */
export interface ModelEntry {
  readonly name: string;
  readonly description: string;
  /** It runs only what the task's own author wrote, so it may run without isolation. */
  readonly isTrusted: boolean;
  choose(rest: string | null): Promise<ChosenModel>;
}

export const builtinModels: readonly ModelEntry[] = [
  {
    name: 'oracle',
    description:
      "plays each task's own solution: 100 % shows that tasks, sandbox and verifiers work here",
    isTrusted: true,
    async choose() {
      const { openOracle } = await import('@hermes/env-core');
      return { provider: 'oracle', modelId: 'oracle', open: openOracle };
    },
  },
  {
    name: 'noop',
    description: 'answers at once and does nothing: 0 % shows that no task passes by itself',
    isTrusted: true,
    async choose() {
      const { openNoop } = await import('@hermes/env-core');
      return { provider: 'noop', modelId: 'noop', open: openNoop };
    },
  },
];
