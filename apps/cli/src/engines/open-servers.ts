import { HermesError } from '@hermes/protocol';
import type { ModelRequest } from '../models.ts';
import { type Endpoint, endpointOf } from '../openai/endpoint.ts';
import { modelNameOf, UNNAMED } from '../openai/model-name.ts';
import { AWAY } from './engine-refusal.ts';
import { closeMembers, enginesOf, type Member } from './join-engines.ts';
import { openEngine } from './open-engine.ts';
import type { OpenedEngines } from './opened-engines.ts';

/** Opens the engines of all servers. Throws a HermesError `config`; then all are closed. */
export async function openServers(
  name: string | null,
  request: ModelRequest,
): Promise<OpenedEngines> {
  const { servers, environmentVariables, effects } = request;
  const model = modelNameOf(name, servers) ?? UNNAMED;
  const endpoints = servers.map((server) => endpointOf(server, model, environmentVariables));
  const members = await openAll(endpoints, request);
  try {
    checkModels(members);
    return enginesOf(members, effects);
  } catch (error) {
    await closeMembers(members);
    throw error;
  }
}

/** One that is away is left out with a note, as long as another one is there. */
async function openAll(
  endpoints: readonly Endpoint[],
  request: ModelRequest,
): Promise<readonly Member[]> {
  const opening = endpoints.map(async (endpoint) => ({
    endpoint,
    engine: await openEngine(endpoint, request),
  }));
  const outcomes = await Promise.allSettled(opening);
  const members = outcomes.flatMap((outcome) =>
    outcome.status === 'fulfilled' ? [outcome.value] : [],
  );
  const failures: readonly unknown[] = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason] : [],
  );
  const fatal = failures.find((failure) => members.length === 0 || !isAway(failure));
  if (fatal !== undefined) {
    await closeMembers(members);
    throw fatal;
  }
  for (const failure of failures.filter(isAway)) request.note(`left out: ${failure.message}`);
  return members;
}

function isAway(failure: unknown): failure is HermesError {
  return HermesError.isInstance(failure) && failure.code === AWAY;
}

function checkModels(members: readonly Member[]): void {
  const names = [...new Set(members.map(({ engine }) => engine.modelId))];
  if (names.length === 1) return;
  const message = `the servers of section openai serve several models (${names.join(', ')}); one run has one: write --model openai:NAME`;
  throw new HermesError('config', 'CONFIG', message);
}
