import type { TokenEngine, TokenOutput } from '@hermes/protocol';

/** One generation as the engine saw it and what it said. */
export type EngineCall = Readonly<{
  rolloutId: string;
  /** As the engine repeats it; as it was given to an engine that does not. */
  promptIds: readonly number[];
  isRepeated: boolean;
  outputs: readonly TokenOutput[];
}>;

/** An engine that writes down what goes through it, before anyone else sees it. */
export function recording(
  engine: TokenEngine,
): Readonly<{ engine: TokenEngine; calls: readonly EngineCall[] }> {
  const calls: EngineCall[] = [];
  const recorded: TokenEngine = {
    specificationVersion: 'v1',
    id: engine.id,
    modelId: engine.modelId,
    capabilities: engine.capabilities,
    async *generate(request, context) {
      const given = [...request.ids];
      for await (const event of engine.generate({ ...request, ids: given }, context)) {
        if (event.type === 'result')
          calls.push({
            rolloutId: context.rolloutId,
            promptIds: event.promptIds ?? given,
            isRepeated: event.promptIds !== null,
            outputs: event.outputs,
          });
        yield event;
      }
    },
  };
  return { engine: recorded, calls };
}
