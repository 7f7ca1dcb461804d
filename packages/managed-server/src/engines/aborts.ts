import type { Effects } from '@hermes/protocol';
import type { EngineWire, WireRequest } from '../wire/engine-wire.ts';
import { withinLimit } from './within-limit.ts';

/** Tells a server which requests nobody waits for any more. */
export interface Aborts {
  /** Goes on by itself; a failure is noted and harms nobody. */
  tell(request: WireRequest): void;
  /** Resolves when all are through. */
  settled(): Promise<void>;
}

/** The server has the closed connection as well: this one is not worth a long wait. */
const LIMIT_MS = 5_000;

/** Aborts over a wire. */
export function createAborts(wire: EngineWire, { clock, logger }: Effects): Aborts {
  const running = new Set<Promise<void>>();
  const none = new AbortController().signal;
  const send = async (request: WireRequest): Promise<void> => {
    try {
      await withinLimit(clock, LIMIT_MS, none, wire.address, (signal) =>
        wire.send(request, signal),
      );
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      logger.log('debug', 'An engine could not be told that a request is over.', { why });
    }
  };
  return {
    tell(request) {
      const telling = send(request).finally(() => running.delete(telling));
      running.add(telling);
    },
    async settled() {
      await Promise.all(running);
    },
  };
}
