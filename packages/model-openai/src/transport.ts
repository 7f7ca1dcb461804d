import type { JsonObject, ModelCallContext } from '@hermes/protocol';
import { OpenAI } from 'openai';
import { Agent, fetch } from 'undici';
import { errorInPlace } from './error-in-place.ts';
import type { ResolvedSettings } from './settings.ts';

/** Sends requests. Each resolves with the response as soon as its headers are there, and rejects as the `openai` package does. */
export interface Transport {
  chat(body: JsonObject, context: ModelCallContext, signal: AbortSignal): Promise<Response>;
  /** The list of the models that are served. */
  models(signal: AbortSignal): Promise<Response>;
}

/** The package would end an attempt by a timer of its own; the attempt has its deadline already. */
const NO_TIMEOUT_MS = 2_147_483_647;

/**
 * One client for all calls of a model. Retries, logs and time limits of the `openai` package and of
 * fetch are off: there is one layer of each, and it is not here.
 */
export function createTransport(settings: ResolvedSettings): Transport {
  const client = new OpenAI({
    baseURL: settings.baseUrl,
    apiKey: settings.apiKey ?? 'none',
    organization: null,
    project: null,
    adminAPIKey: null,
    webhookSecret: null,
    maxRetries: 0,
    timeout: NO_TIMEOUT_MS,
    logLevel: 'off',
    fetch: createFetch(settings),
  });
  return {
    chat: (body, context, signal) =>
      client
        .withOptions({ baseURL: baseUrlFor(settings, context.rolloutId) })
        .post('/chat/completions', { body, signal, headers: chatHeaders(settings, context) })
        .asResponse(),
    models: (signal) =>
      client.get('/models', { signal, headers: commonHeaders(settings) }).asResponse(),
  };
}

/** The address for a rollout: a capturing server tells rollouts apart by a prefix of the path. */
function baseUrlFor({ baseUrl, gatewayPath }: ResolvedSettings, rolloutId: string): string {
  if (gatewayPath === null) return baseUrl;
  const url = new URL(baseUrl);
  const prefix = gatewayPath(rolloutId)
    .replace(/^\/*|\/+$/g, '/')
    .replace(/\/$/, '');
  url.pathname = `${prefix}${url.pathname}`;
  return url.href.replace(/\/+$/, '');
}

function chatHeaders(
  settings: ResolvedSettings,
  { invocationId }: ModelCallContext,
): Readonly<Record<string, string | null>> {
  return { 'x-session-id': invocationId, ...commonHeaders(settings) };
}

function commonHeaders({
  apiKey,
  headers,
}: ResolvedSettings): Readonly<Record<string, string | null>> {
  return { Authorization: apiKey === null ? null : `Bearer ${apiKey}`, ...headers };
}

/** An answer may take longer than the five minutes after which fetch gives up by itself. */
function createFetch(settings: ResolvedSettings): typeof globalThis.fetch {
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0 });
  const sent = sentHeaders(settings);
  return async (url, init) => {
    const headers = [...new Headers(init?.headers)].filter(([name]) => sent.has(name));
    const response = await fetch(String(url), {
      method: init?.method ?? 'GET',
      headers,
      body: typeof init?.body === 'string' ? init.body : null,
      signal: init?.signal ?? null,
      // A redirected POST arrives as a GET without its body: better told than followed.
      redirect: 'manual',
      dispatcher,
    });
    return errorInPlace(response);
  };
}

/** The package adds headers of its own, among them those of the environment; none of them leaves. */
function sentHeaders({ headers }: ResolvedSettings): ReadonlySet<string> {
  const own = Object.keys(headers).map((name) => name.toLowerCase());
  return new Set(['accept', 'authorization', 'content-type', 'user-agent', 'x-session-id', ...own]);
}
