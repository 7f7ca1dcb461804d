import type { ManagedSession } from '@hermes/managed-server';
import { HermesError, type Tokenizer } from '@hermes/protocol';
import type { ModelRequest } from '../models.ts';
import { managedServers, type SessionWishes } from './managed-servers.ts';
import type { OpenedEngines } from './opened-engines.ts';

/** A model in token space that is open. */
export interface TokenModel {
  readonly engines: OpenedEngines;
  readonly tokenizer: Tokenizer;
  /** Throws CONFIG for a parser or an address that is not there. */
  openSession(rolloutId: string, wishes?: SessionWishes): Promise<ManagedSession>;
  close(): Promise<void>;
}

const NO_WISHES: SessionWishes = { parser: null, baseUrl: null };

/** Puts sessions over engines and a tokenizer that fits them. Throws CONFIG where it does not fit; then the engines are closed. */
export async function openTokenModel(
  engines: OpenedEngines,
  tokenizer: Tokenizer,
  request: ModelRequest,
): Promise<TokenModel> {
  const servers = managedServers(engines, tokenizer, request);
  const close = async (): Promise<void> => {
    await servers.close();
    await engines.close();
  };
  try {
    await servers.for(NO_WISHES);
  } catch (error) {
    await close();
    throw misfit(error);
  }
  return {
    engines,
    tokenizer,
    openSession: async (rolloutId, wishes = NO_WISHES) =>
      releasing(engines, (await servers.for(wishes)).openSession(rolloutId)),
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

/** What is wrong with the tokenizer, with the way out of this command. */
function misfit(error: unknown): unknown {
  if (!HermesError.isInstance(error)) return error;
  const advice = error.boundary === 'model' ? (ADVICE[error.code] ?? '') : '';
  return new HermesError('config', error.code, error.message + advice, { cause: error });
}

const ADVICE: Readonly<Record<string, string | undefined>> = {
  CONFIG: ' (--env.tokenizer_name)',
  NO_TEMPLATE: ' (chat_template.jinja beside tokenizer.json, or another --env.tokenizer_name)',
};
