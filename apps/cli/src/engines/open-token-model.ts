import {
  createManagedServer,
  type ManagedServer,
  type ManagedSession,
} from '@hermes/managed-server';
import { HermesError, type TokenEngine, type Tokenizer } from '@hermes/protocol';
import { chooseTokenParser } from '../choose-token-parser.ts';
import type { ModelRequest } from '../models.ts';
import type { OpenedEngines } from './opened-engines.ts';

/** A model in token space that is open. */
export interface TokenModel {
  readonly engines: OpenedEngines;
  readonly tokenizer: Tokenizer;
  /** Throws CONFIG for a parser or an address that is not there. */
  openSession(rolloutId: string, wishes?: SessionWishes): Promise<ManagedSession>;
  close(): Promise<void>;
}

/** What one session has otherwise than the others; null = as they have it. */
type SessionWishes = Readonly<{ parser: string | null; baseUrl: string | null }>;

const NO_WISHES: SessionWishes = { parser: null, baseUrl: null };

/** Puts sessions over engines and a tokenizer that fits them. Throws CONFIG where it does not fit; then the engines are closed. */
export async function openTokenModel(
  engines: OpenedEngines,
  tokenizer: Tokenizer,
  request: ModelRequest,
): Promise<TokenModel> {
  const open = async ({ parser: name, baseUrl }: SessionWishes): Promise<ManagedServer> => {
    const engine = baseUrl === null ? engines.engine : engineAt(engines, baseUrl);
    const { effects, signal, toolCallParser } = request;
    const parser = await chooseTokenParser(name ?? toolCallParser, tokenizer, engine.modelId);
    return createManagedServer({ engine, tokenizer, parser, effects, signal });
  };
  const servers = new Map<string, Promise<ManagedServer>>();
  const serverFor = (wishes: SessionWishes): Promise<ManagedServer> => {
    const key = JSON.stringify([wishes.parser, wishes.baseUrl]);
    const opening = servers.get(key) ?? open(wishes);
    servers.set(key, opening);
    opening.catch(() => servers.delete(key));
    return opening;
  };
  const close = async (): Promise<void> => {
    for (const opening of servers.values()) await (await opening.catch(() => null))?.close();
    await engines.close();
  };
  try {
    await serverFor(NO_WISHES);
  } catch (error) {
    await close();
    throw misfit(error);
  }
  return {
    engines,
    tokenizer,
    openSession: async (rolloutId, wishes = NO_WISHES) =>
      releasing(engines, (await serverFor(wishes)).openSession(rolloutId)),
    close,
  };
}

/** The session, whose end frees the place that its rollout has at a server. */
function releasing({ release }: OpenedEngines, session: ManagedSession): ManagedSession {
  return {
    ...session,
    async close() {
      await session.close();
      release(session.rolloutId);
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

/** What differs, with the way out of this command. */
function misfit(error: unknown): unknown {
  if (!HermesError.isInstance(error)) return error;
  const advice =
    error.code === 'CONFIG' && error.boundary === 'model' ? ' (--env.tokenizer_name)' : '';
  return new HermesError('config', error.code, error.message + advice, { cause: error });
}
