import type { PoolMember } from './types.ts';

/** Options of `openAiProbe`. */
export type OpenAiProbeOptions = Readonly<{
  /** Sent with every question, for servers that want a key. */
  headers?: Readonly<Record<string, string>>;
  /** Default the global one. */
  fetch?: typeof fetch;
}>;

/** A server without `/health` says so by one of these. */
const NO_HEALTH: ReadonlySet<number> = new Set([401, 403, 404, 405, 501]);

/**
 * A probe for an OpenAI-compatible server: asks `/health` below its root (vLLM, SGLang, llama.cpp),
 * and where there is none its list of models. It never generates.
 */
export function openAiProbe(
  baseUrl: string,
  options: OpenAiProbeOptions = {},
): NonNullable<PoolMember<unknown>['probe']> {
  const base = baseUrl.replace(/\/+$/, '');
  const root = base.replace(/\/v1$/, '');
  const ask = async (url: string, signal: AbortSignal): Promise<Response> => {
    const send = options.fetch ?? fetch;
    const response = await send(url, { headers: { ...options.headers }, signal });
    // only the status is of interest; an unread body would keep the connection
    await response.body?.cancel();
    return response;
  };
  return async (signal) => {
    const health = await ask(`${root}/health`, signal);
    if (!NO_HEALTH.has(health.status)) return health.ok;
    return (await ask(`${base}/models`, signal)).status < 500;
  };
}
