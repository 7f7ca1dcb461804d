import { createEffects, type Environment } from '@hermes/env-core';
import { z } from 'zod';
import { unlessAborted } from '../_unless-aborted.ts';
import type { ServerContext } from '../context.ts';
import { findEnvironment } from '../environments/find-environment.ts';
import { parse } from '../http/parse.ts';
import { sendJson } from '../http/send-json.ts';
import { withinLimits } from '../http/within-limits.ts';
import type { Visit } from './route.ts';

const pageQuery = z.strictObject({
  start: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(10_000).default(100),
  split: z.enum(['train', 'eval']).default('train'),
  seed: z.coerce.number().int().default(0),
});

/** `GET /health` */
export async function health(
  { environments, limiter, sessions }: ServerContext,
  { response }: Visit,
): Promise<void> {
  const { running, queued } = limiter.stats();
  sendJson(response, 200, {
    status: 'healthy',
    environments: [...environments.keys()],
    running,
    queued,
    sessions: sessions.size,
  });
}

/** `GET /environments` */
export async function listEnvironments(
  { environments }: ServerContext,
  { response }: Visit,
): Promise<void> {
  const listed = [...environments.values()].map(({ definition, environment, configDigest }) => ({
    id: definition.id,
    version: definition.version,
    description: definition.description,
    config_digest: configDigest,
    dataset_revision: environment.datasetRevision,
    takes_rows: environment.itemFrom !== undefined,
  }));
  sendJson(response, 200, { environments: listed });
}

/** `GET /environments/{id}/items?start=&limit=&split=&seed=` */
export async function listItems(
  context: ServerContext,
  { response, query, part }: Visit,
): Promise<void> {
  const { environment } = findEnvironment(context.environments, part);
  const page = parse(pageQuery, Object.fromEntries(query));
  const items = await withinLimits(context, response, context.requestTimeoutMs, (signal) =>
    unlessAborted(readPage(environment, page, signal), signal),
  );
  sendJson(response, 200, {
    items,
    next_start: items.length < page.limit ? null : page.start + page.limit,
  });
}

async function readPage(
  environment: Environment,
  { start, limit, split, seed }: z.infer<typeof pageQuery>,
  signal: AbortSignal,
): Promise<readonly object[]> {
  const random = createEffects({}, seed).random.fork('items');
  const items: object[] = [];
  for await (const { id, tags } of environment.items({ split, start, random })) {
    signal.throwIfAborted();
    items.push({ item_id: id, index: start + items.length, tags: tags ?? {} });
    if (items.length === limit) break;
  }
  return items;
}
