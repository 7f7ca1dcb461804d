import { HermesError } from '@hermes/protocol';
import type { ModelEntry } from './models.ts';
import { unknownName } from './unknown-name.ts';

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
