import { ModelError } from '@hermes/protocol';

/** How an endpoint is reached and how patient to be with it. */
export type OpenAiModelSettings = Readonly<{
  /** Where the API begins, for example `http://localhost:8000/v1`. */
  baseUrl: string;
  model: string;
  /** Absent: no Authorization header is sent. Never shows up in an error, a log or a record. */
  apiKey?: string;
  /** Sent with every request. Their values are kept out of errors as well. */
  headers?: Readonly<Record<string, string>>;
  /** For one attempt, from the request to the end of the answer. Default 1,200,000. */
  timeoutMs?: number;
  /** How long a stream that has begun may be silent. Default 120,000. */
  stallMs?: number;
  /** Requests on the wire for one call, the first included. Default 3. */
  maxAttempts?: number;
  /** The wait before the second attempt; doubles from one to the next. Default 500. */
  retryDelayMs?: number;
  /** A server that asks for a longer wait is not waited for: the call fails at once. Default 60,000. */
  maxRetryAfterMs?: number;
  /** Size of the context window, where it is known. */
  contextTokens?: number;
  /** Default true. False: the whole answer comes in one piece. */
  stream?: boolean;
  /** Default true. False for servers that refuse `stream_options`: they then tell no usage. */
  streamUsage?: boolean;
  /** Default `max_tokens`, and `max_completion_tokens` at api.openai.com. */
  maxTokensField?: 'max_tokens' | 'max_completion_tokens';
  /** The field that carries the reasoning of earlier turns back to the server. null: none does. Default `reasoning_content`. */
  reasoningField?: 'reasoning_content' | 'reasoning' | null;
  /** Default true. False: `capabilities.images` says so, and a request with an image is refused. */
  images?: boolean;
  /** Goes before the path of the base URL, for a server that captures by rollout: `/rollouts/ID` makes `http://host/rollouts/ID/v1`. */
  gatewayPath?: (rolloutId: string) => string;
}>;

/** Settings with every default filled in. */
export type ResolvedSettings = Readonly<
  Required<Omit<OpenAiModelSettings, 'apiKey' | 'contextTokens' | 'gatewayPath'>> & {
    apiKey: string | null;
    contextTokens: number | null;
    gatewayPath: ((rolloutId: string) => string) | null;
  }
>;

/** Checks settings, also those of plain JavaScript. Throws `CONFIG` with the name of the setting. */
export function resolveSettings(given: OpenAiModelSettings): ResolvedSettings {
  checkNames(given);
  const url = checkedUrl(given.baseUrl);
  if (typeof given.model !== 'string' || given.model === '') {
    refuse('model', 'has to be the name that the server knows the model by');
  }
  for (const [name, value] of Object.entries(given.headers ?? {}))
    checkHeader(`headers.${name}`, value);
  if (given.apiKey !== undefined) checkHeader('apiKey', given.apiKey);
  return {
    baseUrl: url.href.replace(/\/+$/, ''),
    model: given.model,
    apiKey: given.apiKey ?? null,
    headers: given.headers ?? {},
    timeoutMs: whole(given, 'timeoutMs', 1_200_000, 1),
    stallMs: whole(given, 'stallMs', 120_000, 1),
    maxAttempts: whole(given, 'maxAttempts', 3, 1),
    retryDelayMs: whole(given, 'retryDelayMs', 500, 0),
    maxRetryAfterMs: whole(given, 'maxRetryAfterMs', 60_000, 0),
    contextTokens: given.contextTokens === undefined ? null : whole(given, 'contextTokens', 1, 1),
    stream: given.stream ?? true,
    streamUsage: given.streamUsage ?? true,
    maxTokensField: given.maxTokensField ?? defaultMaxTokensField(url),
    reasoningField: given.reasoningField === undefined ? 'reasoning_content' : given.reasoningField,
    images: given.images ?? true,
    gatewayPath: given.gatewayPath ?? null,
  };
}

const NAMES: Readonly<Record<keyof OpenAiModelSettings, true>> = {
  baseUrl: true,
  model: true,
  apiKey: true,
  headers: true,
  timeoutMs: true,
  stallMs: true,
  maxAttempts: true,
  retryDelayMs: true,
  maxRetryAfterMs: true,
  contextTokens: true,
  stream: true,
  streamUsage: true,
  maxTokensField: true,
  reasoningField: true,
  images: true,
  gatewayPath: true,
};

function checkNames(given: OpenAiModelSettings): void {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(NAMES, name));
  if (unknown !== undefined)
    refuse(unknown, `is no setting; there are ${Object.keys(NAMES).join(', ')}`);
}

/** A key in the address would end up in messages and logs. */
function checkedUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    return refuse('baseUrl', 'has to be an http or https address such as http://localhost:8000/v1');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    return refuse(
      'baseUrl',
      'may not carry a user, a query or a fragment; a key belongs into apiKey',
    );
  }
  return url;
}

/** What HTTP would refuse, with the value in the message. */
function checkHeader(name: string, value: unknown): void {
  if (typeof value === 'string' && /^[\x20-\x7e]+$/.test(value) && value.trim() === value) return;
  refuse(name, 'has to be one line of printable ASCII, without blanks at its ends');
}

function whole(
  given: OpenAiModelSettings,
  name:
    | 'timeoutMs'
    | 'stallMs'
    | 'maxAttempts'
    | 'retryDelayMs'
    | 'maxRetryAfterMs'
    | 'contextTokens',
  fallback: number,
  least: number,
): number {
  const value = given[name] ?? fallback;
  if (Number.isSafeInteger(value) && value >= least) return value;
  return refuse(name, `has to be a whole number from ${least} on, not ${String(value)}`);
}

function defaultMaxTokensField(url: URL): 'max_tokens' | 'max_completion_tokens' {
  return url.hostname === 'api.openai.com' ? 'max_completion_tokens' : 'max_tokens';
}

function refuse(name: string, rule: string): never {
  throw new ModelError('CONFIG', `The setting ${name} of the OpenAI-compatible model ${rule}.`);
}
