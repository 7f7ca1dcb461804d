import type { OpenModel } from '@hermes/env-core';
import { HermesError } from '@hermes/protocol';
import { unknownName } from './nearest.ts';

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

/** Finds what `--model` names. There is no default: a run says which model it measured. */
export function findModel(
  value: string | undefined,
  entries: readonly ModelEntry[],
): { entry: ModelEntry; rest: string | null } {
  const list = entries.map((entry) => `  ${entry.name.padEnd(8)} ${entry.description}`).join('\n');
  if (value === undefined)
    throw new HermesError('config', 'CONFIG', `--model is needed. There is:\n${list}`);
  const [name = '', ...others] = value.split(':');
  const entry = entries.find((candidate) => candidate.name === name);
  if (entry !== undefined) return { entry, rest: others.length === 0 ? null : others.join(':') };
  throw new HermesError(
    'config',
    'CONFIG',
    unknownName(
      'model',
      value,
      entries.map((candidate) => candidate.name),
    ),
  );
}
