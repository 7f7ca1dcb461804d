import { configDigest } from '@hermes/env-core';
import { type Effects, HermesError } from '@hermes/protocol';
import type { EnvironmentToOpen, OpenEnvironment, ServedEnvironment } from '../types.ts';

/** An environment that is being served. */
export type OpenedEnvironment = OpenEnvironment & Readonly<{ close: () => Promise<void> }>;

/** Opens all of them, by id; where one fails, those before it are closed again. */
export async function openEnvironments(
  served: readonly ServedEnvironment[],
  effects: Effects,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, OpenedEnvironment>> {
  const opened = new Map<string, OpenedEnvironment>();
  try {
    for (const one of served) {
      const { id } = one.definition;
      if (opened.has(id)) throw config(`two environments are called ${id}`);
      const isOpen = 'environment' in one;
      opened.set(id, isOpen ? ownedByOthers(one) : await open(one, effects, signal));
    }
    if (opened.size === 0) throw config('it needs an environment');
    return opened;
  } catch (error) {
    await closeEnvironments(opened);
    throw error;
  }
}

/** Closes all of them, also when one fails; then it throws what failed. */
export async function closeEnvironments(
  opened: ReadonlyMap<string, OpenedEnvironment>,
): Promise<void> {
  const ends = [...opened.values()].map(({ close }) => close());
  const failed = (await Promise.allSettled(ends)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

async function open(
  { definition, config: given, judge }: EnvironmentToOpen,
  effects: Effects,
  signal: AbortSignal,
): Promise<OpenedEnvironment> {
  const parsed = await definition.config['~standard'].validate(given);
  if (parsed.issues !== undefined) {
    const faults = parsed.issues.map(({ message }) => message).join('; ');
    throw config(`the configuration of ${definition.id} is wrong: ${faults}`);
  }
  const environment = await definition.open(parsed.value, {
    effects,
    signal,
    judge: judge ?? null,
  });
  const digest = configDigest(definition, parsed.value);
  const close = async () => environment.close?.();
  return { definition, environment, configDigest: digest, close };
}

function ownedByOthers(environment: OpenEnvironment): OpenedEnvironment {
  return { ...environment, close: async () => undefined };
}

function config(message: string): HermesError {
  return new HermesError('config', 'CONFIG', `The rollout server was not started: ${message}.`);
}
