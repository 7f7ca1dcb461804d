import { z } from 'zod';
import type { EngineWire } from '../wire/engine-wire.ts';
import { askPolitely } from './detect-server.ts';

/** What a server tells of a model; null = it does not say. */
export type ModelFacts = Readonly<{
  model: string | null;
  contextTokens: number | null;
  vocabularySize: number | null;
}>;

const listed = z.object({
  id: z.string(),
  max_model_len: z.number().nullish(),
  meta: z.object({ n_vocab: z.number().nullish(), n_ctx: z.number().nullish() }).nullish(),
});
const list = z.object({ data: z.array(listed) });

/** Looks a model up in the list of a server. Without a name: the first one that it serves. */
export async function modelFacts(
  wire: EngineWire,
  name: string | undefined,
  signal: AbortSignal,
): Promise<ModelFacts> {
  const models = list.safeParse(await askPolitely(wire, '/v1/models', signal)).data?.data ?? [];
  const found = name === undefined ? models[0] : models.find(({ id }) => id === name);
  return {
    model: name ?? found?.id ?? null,
    contextTokens: found?.max_model_len ?? found?.meta?.n_ctx ?? null,
    vocabularySize: found?.meta?.n_vocab ?? null,
  };
}
