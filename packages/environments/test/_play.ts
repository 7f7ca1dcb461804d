import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createEffects,
  type EnvironmentContext,
  type EnvironmentDefinition,
  evaluate,
  type OpenModel,
  type RunSummary,
} from '@hermes/env-core';
import { HermesError, type RolloutRecord } from '@hermes/protocol';
import type { SandboxProvider } from '@hermes/sandbox';
import { createSandboxProvider } from '@hermes/sandbox-local';
import { isExpected } from '@hermes/vitest-config/services';
import { afterAll } from 'vitest';

export type Isolation = 'bubblewrap' | 'none';

/** Both kinds of local sandbox, as far as this machine shall have them. */
export const ISOLATIONS: readonly Isolation[] = isExpected('bubblewrap')
  ? ['bubblewrap', 'none']
  : ['none'];

/** What environments are opened with in tests. */
export function openContext(variables: Readonly<Record<string, string>> = {}): EnvironmentContext {
  const { signal } = new AbortController();
  return { effects: createEffects(), signal, judge: null, variables };
}

const works: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const work of works.reverse()) await work();
});

/** A folder that is gone after the test file. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hermes-environments-'));
  works.push(() => rm(folder, { recursive: true }));
  return folder;
}

const providers = new Map<Isolation, Promise<SandboxProvider>>();

function openProvider(isolation: Isolation): Promise<SandboxProvider> {
  const provider = providers.get(isolation) ?? createProvider(isolation);
  providers.set(isolation, provider);
  return provider;
}

async function createProvider(isolation: Isolation): Promise<SandboxProvider> {
  const rootDir = await temporaryFolder();
  const refuse = async (): Promise<never> => {
    throw new HermesError('config', 'CONFIG', 'no inner provider here');
  };
  const provider = await createSandboxProvider({ isolation, rootDir }, { openProvider: refuse });
  works.push(() => provider.close());
  return provider;
}

export type Played = Readonly<{ summary: RunSummary; records: readonly RolloutRecord[] }>;

/** Plays all items of an environment as `hermes evaluate` does. isolation null: without a sandbox provider. */
export async function play<Config, Data>(
  definition: EnvironmentDefinition<Config, Data>,
  config: Config,
  open: OpenModel,
  isolation: Isolation | null,
): Promise<Played> {
  const records: RolloutRecord[] = [];
  const environment = await definition.open(config, openContext());
  const summary = await evaluate({
    definition: { id: definition.id, version: definition.version, configDigest: 'test' },
    environment,
    model: { provider: 'test', modelId: 'test', open },
    sandboxes: isolation === null ? null : await openProvider(isolation),
    sampling: {},
    scheduler: { rollouts: 4 },
    sinks: [{ record: async (record) => void records.push(record) }],
  });
  return { summary, records };
}

/** Reward, or the cause of an error, by item. */
export function outcomes(records: readonly RolloutRecord[]): Record<string, number | string> {
  return Object.fromEntries(
    records.map((record) => [
      record.identity.itemId,
      record.status === 'completed' ? record.reward.reward : record.errored.cause,
    ]),
  );
}
