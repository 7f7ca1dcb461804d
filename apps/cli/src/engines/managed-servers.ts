import { createManagedServer, type ManagedServer } from '@hermes/managed-server';
import { HermesError, type TokenEngine, type Tokenizer } from '@hermes/protocol';
import { chooseTokenParser } from '../choose-token-parser.ts';
import type { ModelRequest } from '../models.ts';
import type { OpenedEngines } from './opened-engines.ts';

/** What one session has otherwise than the others; null = as they have it. */
export type SessionWishes = Readonly<{ parser: string | null; baseUrl: string | null }>;

/** One managed server for each combination of wishes that somebody has had. */
export interface ManagedServers {
  /** Throws CONFIG for a parser or an address that is not there, and for a tokenizer that does not fit. */
  for(wishes: SessionWishes): Promise<ManagedServer>;
  close(): Promise<void>;
}

/** Does no I/O before the first server is asked for. */
export function managedServers(
  engines: OpenedEngines,
  tokenizer: Tokenizer,
  { effects, signal, toolCallParser }: ModelRequest,
): ManagedServers {
  const open = async ({ parser: name, baseUrl }: SessionWishes): Promise<ManagedServer> => {
    const engine = baseUrl === null ? engines.engine : engineAt(engines, baseUrl);
    const parser = await chooseTokenParser(name ?? toolCallParser, tokenizer, engine.modelId);
    return createManagedServer({ engine, tokenizer, parser, effects, signal });
  };
  const opened = new Map<string, Promise<ManagedServer>>();
  return {
    for(wishes) {
      const key = JSON.stringify([wishes.parser, wishes.baseUrl]);
      const opening = opened.get(key) ?? open(wishes);
      opened.set(key, opening);
      opening.catch(() => opened.delete(key)); // whoever comes next tries again
      return opening;
    },
    async close() {
      for (const opening of opened.values()) await (await opening.catch(() => null))?.close();
    },
  };
}

function engineAt({ at, servers }: OpenedEngines, baseUrl: string): TokenEngine {
  const engine = at(baseUrl);
  if (engine !== undefined) return engine;
  const known = servers().map((server) => server.baseUrl);
  const message = `there is no server ${baseUrl} here: leave base_url out, or name one of ${known.join(', ') || 'none'}`;
  throw new HermesError('config', 'CONFIG', message);
}
