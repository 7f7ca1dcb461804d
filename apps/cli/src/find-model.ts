import type { RunConfig } from '@hermes/env-core';
import { HermesError } from '@hermes/protocol';
import type { ModelEntry } from './models.ts';
import { unknownName } from './unknown-name.ts';

/** A kind of model, and what its name says beside the kind. */
export type FoundModel = Readonly<{ entry: ModelEntry; rest: string | null }>;

/**
 * Finds what `--model` names, or else the model of section `openai` that the file or a flag names. There is no other default: a run says which
 * model it measured.
 */
export function findModel(
  value: string | undefined,
  config: RunConfig,
  entries: readonly ModelEntry[],
): FoundModel {
  const wanted = value ?? (namesServerModel(config) ? 'openai' : undefined);
  if (wanted === undefined) throw noModel(entries);
  const [name = '', ...others] = wanted.split(':');
  const entry = entries.find((candidate) => candidate.name === name);
  if (entry !== undefined) return { entry, rest: others.length === 0 ? null : others.join(':') };
  const known = entries.map((candidate) => candidate.name);
  throw new HermesError('config', 'CONFIG', unknownName('model', wanted, known));
}

/** By its name, or by the kind of an engine, which serves one. What an environment has as its default names nothing: people pay for models. */
function namesServerModel({ values }: RunConfig): boolean {
  return values.some(
    ({ path, sources }) =>
      /^openai\.(\d+\.)?(model_name|server_type)$/.test(path) &&
      sources.some(({ kind }) => kind === 'file' || kind === 'flag'),
  );
}

function noModel(entries: readonly ModelEntry[]): HermesError {
  const list = entries.map((entry) => `  ${entry.name.padEnd(8)} ${entry.description}`).join('\n');
  return new HermesError('config', 'CONFIG', `--model is needed. There is:\n${list}`);
}
