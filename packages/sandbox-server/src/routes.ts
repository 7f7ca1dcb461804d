import { z } from 'zod';
import type { ServerEffects } from './_effects.ts';
import { archiveArtifacts, archiveRequest } from './artifacts/archive-artifacts.ts';
import { listArtifacts, listRequest } from './artifacts/list-artifacts.ts';
import { readArtifact, readRequest } from './artifacts/read-artifact.ts';
import { execute, executeBatch, executeRequest } from './execute.ts';
import { type Answer, ok } from './http/answer.ts';
import { Refusal } from './http/refusal.ts';
import { type Lease, WORKSPACE } from './slots/lease.ts';
import type { SlotTable } from './slots/slot-table.ts';
import type { ServerLimits } from './types.ts';

/** What a route works with. */
export type RouteContext = Readonly<{
  table: SlotTable;
  limits: ServerLimits;
  newId: ServerEffects['newId'];
}>;

/** One row of the API. body: parsed JSON, null for GET. */
export type Route = Readonly<{
  method: 'GET' | 'POST';
  serve: (context: RouteContext, body: unknown) => Promise<Answer>;
}>;

/** Every path of the API. */
export const routes: ReadonlyMap<string, Route> = new Map<string, Route>([
  ['/health', { method: 'GET', serve: health }],
  ['/slots', { method: 'GET', serve: listSlots }],
  ['/execute', post(executeRequest, execute)],
  ['/batch', post(z.array(executeRequest), executeBatch)],
  ['/reset', post(z.object({ slot_id: z.string() }), reset)],
  ['/artifacts/read', artifacts(readRequest, readArtifact)],
  ['/artifacts/list', artifacts(listRequest, listArtifacts)],
  ['/artifacts/archive', artifacts(archiveRequest, archiveArtifacts)],
]);

async function health({ table }: RouteContext): Promise<Answer> {
  const states = table.all.map(({ state }) => state);
  const count = (wanted: string) => states.filter((state) => state === wanted).length;
  return ok({
    status: 'ok',
    slots: states.length,
    available: count('available'),
    executing: count('executing'),
    data_dir: WORKSPACE,
    bwrap_available: table.capabilities.isolation !== 'none',
    stateful_dir: WORKSPACE,
  });
}

async function listSlots({ table }: RouteContext): Promise<Answer> {
  const slots = table.all.map(({ id, state, workspaceDir, currentExecutionId }) => ({
    slot_id: id,
    state,
    workspace_dir: workspaceDir,
    current_execution_id: currentExecutionId,
  }));
  return ok({ slots });
}

async function reset(
  { table }: RouteContext,
  { slot_id: slotId }: { readonly slot_id: string },
): Promise<Answer> {
  await table.find(slotId).reset();
  return ok({ success: true, slot_id: slotId });
}

function post<Body>(
  schema: z.ZodType<Body>,
  serve: (context: RouteContext, body: Body) => Promise<Answer>,
): Route {
  return { method: 'POST', serve: (context, body) => serve(context, parse(schema, body)) };
}

/** They wait for their turn in the slot as tools do. */
function artifacts<Body extends { readonly slot_id: string }>(
  schema: z.ZodType<Body>,
  serve: (lease: Lease, body: Body, limits: ServerLimits) => Promise<Answer>,
): Route {
  return post(schema, ({ table, limits, newId }, body) =>
    table.find(body.slot_id).run({
      executionId: newId('artifact'),
      allowNetwork: null,
      run: (lease) => serve(lease, body, limits),
    }),
  );
}

/** Throws a Refusal (400) that names the key. */
function parse<Body>(schema: z.ZodType<Body>, body: unknown): Body {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Refusal(400, [issue?.path.join('.'), issue?.message].filter(Boolean).join(': '));
}
