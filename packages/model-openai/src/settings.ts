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
