import { mkdtemp, rm, symlink } from 'node:fs/promises';
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

/** Plain processes that find nothing but a shell on their PATH. */
async function withoutPrograms(): Promise<SandboxProvider> {
  const inner = await openProvider('none');
  const folder = await temporaryFolder();
  await symlink('/bin/sh', join(folder, 'sh'));
  return {
    ...inner,
    create: (spec, options) => inner.create({ ...spec, env: { PATH: folder } }, options),
  };
}

export type Played = Readonly<{ summary: RunSummary; records: readonly RolloutRecord[] }>;

/** Plays all items of an environment as `hermes evaluate` does. sandboxes null: without a sandbox provider. */
export async function play<Config, Data>(
  definition: EnvironmentDefinition<Config, Data>,
  config: Config,
  open: OpenModel,
  sandboxes: Isolation | 'without_programs' | null,
): Promise<Played> {
  const records: RolloutRecord[] = [];
  const environment = await definition.open(config, openContext());
  const summary = await evaluate({
    definition: { id: definition.id, version: definition.version, configDigest: 'test' },
    environment,
    model: { provider: 'test', modelId: 'test', open },
    sandboxes: await providerOf(sandboxes),
    sampling: {},
    scheduler: { rollouts: 4 },
    sinks: [{ record: async (record) => void records.push(record) }],
  });
  return { summary, records };
}

function providerOf(
  sandboxes: Isolation | 'without_programs' | null,
): Promise<SandboxProvider> | null {
  if (sandboxes === null) return null;
  return sandboxes === 'without_programs' ? withoutPrograms() : openProvider(sandboxes);
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
