import type {
  ChatModel,
  ChatRequest,
  ChatResult,
  Effects,
  ModelCallContext,
  Tokenizer,
  TokenSegment,
} from '@hermes/protocol';

/** What was said when a session was opened. What is null was not said. */
export type SessionRequest = Readonly<{
  sessionId: string;
  /** Name of the format in which the model writes its calls. */
  toolParser: string | null;
  /** Address of the server that is to answer, where there are several. */
  baseUrl: string | null;
}>;

/** The model of one session. A managed session is one; any other `ChatModel` is, with fewer routes. */
export interface SessionModel extends ChatModel {
  /** Several answers to one request. Without it, `n` above 1 is refused. */
  choices?(
    request: ChatRequest,
    count: number,
    context: ModelCallContext,
  ): Promise<readonly ChatResult[]>;
  /** The ids that would be sent for a request. Without it, the render route is refused. */
  promptIds?(request: ChatRequest, invocationId: string): readonly number[];
}

/** A server behind the gateway, as `GET /servers` shows it. */
export type ServerStatus = Readonly<{ baseUrl: string; isHealthy: boolean }>;

/** Who answers the agents. */
export interface GatewayBackend {
  /** Shown to agents. Whatever they name in a request, this one answers. */
  readonly modelId: string;
  /** Of the model: gives segments their text. */
  readonly tokenizer?: Tokenizer;
  /** The gateway closes what it opened. A `HermesError` with code CONFIG says what of the request is not to be had. */
  open(session: SessionRequest): SessionModel | Promise<SessionModel>;
  /** Default: none. */
  servers?(): readonly ServerStatus[];
  /** Called when another backend took its place and its sessions have ended, and when the gateway ends. Idempotent. */
  close?(): Promise<void>;
}

/** The body of `POST /setup`. */
export type GatewaySetup = Readonly<{
  modelName: string;
  tokenizerName: string | null;
  servers: readonly Readonly<{
    baseUrl: string;
    serverType: string;
    apiKey: string;
    maxRequestsAtOnce: number;
    requestsForEval: number;
    timeoutSeconds: number;
  }>[];
}>;

/** Options of `startGateway`. */
export type GatewayOptions = Readonly<{
  /** null: agents are answered with 503 until `POST /setup`. */
  backend: GatewayBackend | null;
  /** Serves `POST /setup`. Without it the route is refused. */
  setup?: (setup: GatewaySetup) => Promise<GatewayBackend>;
  /** Default 127.0.0.1. Another host needs a token. */
  host?: string;
  /** Default 0: any free port. */
  port?: number;
  /** What a caller has to show: `Authorization: Bearer TOKEN` or `x-api-key: TOKEN`. Absent: nobody is asked. */
  token?: string;
  /** A session without a call for so long is ended and its tokens are forgotten. Default one hour. */
  sessionIdleMs?: number;
  /** Sessions at once. Default 10,000. */
  maxSessions?: number;
  /** Longest time of one model call. Default 20 minutes. */
  callTimeoutMs?: number;
  /** Largest request in bytes. Default 64 MiB. */
  bodyBytes?: number;
  effects?: Partial<Effects>;
}>;

/** A running gateway. */
export interface Gateway {
  /** `http://host:port`, without a slash at the end. */
  readonly baseUrl: string;
  /** Of a session so far; null = no such session, or a model without tokens. */
  segments(sessionId: string): readonly TokenSegment[] | null;
  /** What an agent of this session alone shows as its key; null = no key is asked for. */
  sessionKey(sessionId: string): string | null;
  /** Ends its running calls. Does nothing for an unknown one. */
  endSession(sessionId: string): Promise<void>;
  /** Ends running calls and closes every model. Idempotent. */
  close(): Promise<void>;
}
