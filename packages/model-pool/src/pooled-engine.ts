import { ModelError, type TokenEngine, type TokenEvent } from '@hermes/protocol';
import { commonEngineCapabilities, joinNames } from './common-capabilities.ts';
import type { ModelPool, PoolMember } from './types.ts';
import { withinPool } from './within-pool.ts';

/**
 * A pool as one `TokenEngine` for all rollouts; the context of a call says whose it is. An engine
 * that does not tell the version of its weights is taken to have the one of the last `resume`.
 */
export function createPooledEngine(pool: ModelPool<TokenEngine>): TokenEngine {
  const engines = pool.members.map((member) => member.model);
  return {
    specificationVersion: 'v1',
    id: joinNames(engines.map((engine) => engine.id)),
    modelId: joinNames(engines.map((engine) => engine.modelId)),
    capabilities: commonEngineCapabilities(engines.map((engine) => engine.capabilities)),
    generate: (request, context) =>
      withinPool(pool, context, (engine) =>
        withVersion(engine.generate(request, context), pool.weightVersion),
      ),
    ...(engines.every((engine) => engine.tokenize !== undefined) && {
      tokenize: (text, signal) => commonReading(pool.members, text, signal),
    }),
  };
}

/** `version`: at the start of the call. A pause lets running calls end, so it holds until their end. */
async function* withVersion(
  events: AsyncIterable<TokenEvent>,
  version: string | null,
): AsyncGenerator<TokenEvent> {
  for await (const event of events) {
    if (event.type !== 'result' || version === null) yield event;
    else
      yield {
        ...event,
        outputs: event.outputs.map((output) => ({
          ...output,
          weightVersion: output.weightVersion ?? version,
        })),
      };
  }
}

/** Every endpoint is asked: one that serves another model would spoil the rollouts that it gets. */
async function commonReading(
  members: readonly PoolMember<TokenEngine>[],
  text: string,
  signal: AbortSignal,
): Promise<readonly number[]> {
  const readings = await Promise.all(
    members.map(async ({ id, model }) => ({ id, ids: await model.tokenize?.(text, signal) })),
  );
  const [first, ...others] = readings;
  const other = others.find(({ ids }) => ids?.join() !== first?.ids?.join());
  if (other === undefined) return first?.ids ?? [];
  throw new ModelError(
    'CONFIG',
    `The endpoints "${first?.id}" and "${other.id}" of the model pool read the same text as different tokens: let all of them serve the same model.`,
  );
}
