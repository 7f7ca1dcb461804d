import { type Endpoint, requestHeaders } from './endpoint.ts';
import { unreachable, wrongKey } from './refusals.ts';

const LIMIT_MS = 15_000;

/**
 * Asks an endpoint for its models, which costs no token. Throws a HermesError `config` when it is not there or refuses the key. Returns the names
 * it lists; [] where it does not tell: not every server has such a list, so that is no reason against a run.
 */
export async function checkEndpoint(
  endpoint: Endpoint,
  signal: AbortSignal,
  limitMs: number = LIMIT_MS,
): Promise<readonly string[]> {
  const limit = AbortSignal.timeout(limitMs);
  try {
    const response = await ask(endpoint, AbortSignal.any([signal, limit]));
    if (response.status === 401 || response.status === 403) throw wrongKey(endpoint, undefined);
    return response.ok ? namesIn(await response.json()) : [];
  } catch (error) {
    signal.throwIfAborted();
    if (limit.aborted) return [];
    const why = unreachableBecause(error);
    if (why !== null) throw unreachable(endpoint, why, error);
    if (error instanceof TypeError || error instanceof SyntaxError) return [];
    throw error;
  }
}

function ask(endpoint: Endpoint, signal: AbortSignal): Promise<Response> {
  return fetch(`${endpoint.baseUrl}/models`, { headers: requestHeaders(endpoint), signal });
}

/** Errors of a name, an address or a certificate that the next request would meet too; a broken connection may be chance. */
const REASONS: Readonly<Record<string, string | undefined>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the host name cannot be resolved',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the network',
  ETIMEDOUT: 'no answer to the connection',
  UND_ERR_CONNECT_TIMEOUT: 'no answer to the connection',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself; NODE_EXTRA_CA_CERTS adds one',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted; NODE_EXTRA_CA_CERTS adds one',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not trusted; NODE_EXTRA_CA_CERTS adds one',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it speaks no TLS; is it http?',
};

function unreachableBecause(error: unknown): string | null {
  const { cause } = Object(error) as { readonly cause?: unknown };
  const { code, errors } = Object(cause) as { code?: unknown; errors?: readonly unknown[] };
  const known = typeof code === 'string' ? REASONS[code] : undefined;
  if (known !== undefined) return known;
  if (Array.isArray(errors) && errors.length > 0)
    return unreachableBecause({ cause: errors[0] as unknown });
  const message = cause instanceof Error ? cause.message : '';
  return message === 'bad port' ? 'no client may use this port' : null;
}

function namesIn(body: unknown): readonly string[] {
  const { data } = Object(body) as { readonly data?: unknown };
  if (!Array.isArray(data)) return [];
  const ids = data.map((model) => (Object(model) as { readonly id?: unknown }).id);
  return ids.filter((id) => typeof id === 'string');
}
