import { startGateway } from '@hermes/gateway';
import { createManagedServer } from '@hermes/managed-server';
import { hermesParser } from '@hermes/parsers/hermes';
import type { TokenEngine, Tokenizer } from '@hermes/protocol';
import { type Played, playForeignAgent } from '@hermes/real-engines';

/** Sessions of an agent that knows nothing of us, one after the other, over a gateway in front of the engine. */
export async function playThroughGateway(
  engine: TokenEngine,
  tokenizer: Tokenizer,
  { sessions, stream }: Readonly<{ sessions: number; stream: boolean }>,
): Promise<readonly Played[]> {
  const server = await createManagedServer({ engine, tokenizer, parser: hermesParser });
  const gateway = await startGateway({
    backend: {
      modelId: engine.modelId,
      tokenizer,
      open: ({ sessionId }) => server.openSession(sessionId),
    },
  });
  const played: Played[] = [];
  try {
    for (let session = 0; session < sessions; session += 1) {
      const id = `session-${session}`;
      const turns = await playForeignAgent(`${gateway.baseUrl}/${id}/v1`, stream);
      played.push({ id, turns, segments: gateway.segments(id) ?? [] });
    }
    return played;
  } finally {
    await gateway.close();
    await server.close();
  }
}
