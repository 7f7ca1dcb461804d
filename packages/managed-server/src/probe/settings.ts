import { ModelError } from '@hermes/protocol';
import { z } from 'zod';

/** The kinds of servers. `auto`: found out at the start. */
const SERVER_TYPES: readonly ServerType[] = [
  'auto',
  'vllm',
  'vllm_inference',
  'atropos_vllm',
  'sglang',
  'trl',
  'llama_cpp',
  'openai',
];

/** A kind of server, or the wish to have it found out. */
export type ServerType =
  | 'auto'
  | 'vllm'
  | 'vllm_inference'
  | 'atropos_vllm'
  | 'sglang'
  | 'trl'
  | 'llama_cpp'
  | 'openai';

/** Which engine, and where. */
export type TokenEngineSettings = Readonly<{
  /** Of the server, with or without `/v1` at its end. */
  baseUrl: string;
  /** Default `auto`. */
  serverType?: ServerType;
  /** The name that the server knows the model by. Default: the first one that it lists. */
  model?: string;
  apiKey?: string;
  headers?: Readonly<Record<string, string>>;
  /**
   * RunPod serverless: `gateway`, the paths below `/openai`; `queue`, jobs; `load_balancer`, straight
   * to a worker. Default: what the address says, and `none` where it is not RunPod's.
   */
  runpod?: 'none' | 'gateway' | 'queue' | 'load_balancer';
  /** Default true: tokens as they come, where the server can. */
  stream?: boolean;
  /** Of one request; default 1,200,000. */
  timeoutMs?: number;
  /** Requests for one answer, the first included; default 3. */
  maxAttempts?: number;
  /** Before the second attempt, doubled for each later one; default 500. */
  retryDelayMs?: number;
  /** Default: what the server says. */
  contextTokens?: number;
  /** Ids below it are tokens. Default: what the server says. */
  vocabularySize?: number;
}>;

/** Settings with their defaults. */
export type ResolvedEngineSettings = Required<
  Omit<TokenEngineSettings, 'model' | 'apiKey' | 'runpod' | 'contextTokens' | 'vocabularySize'>
> &
  Readonly<{
    model?: string | undefined;
    apiKey?: string | undefined;
    runpod?: TokenEngineSettings['runpod'] | undefined;
    contextTokens?: number | undefined;
    vocabularySize?: number | undefined;
  }>;

const count = z.number().int().min(1);

const schema = z.strictObject({
  baseUrl: z.url({ protocol: /^https?$/ }),
  serverType: z.enum(SERVER_TYPES).default('auto'),
  model: z.string().min(1).optional(),
  apiKey: z.string().min(1).optional(),
  headers: z.record(z.string(), z.string()).default({}),
  runpod: z.enum(['none', 'gateway', 'queue', 'load_balancer']).optional(),
  stream: z.boolean().default(true),
  timeoutMs: count.default(1_200_000),
  maxAttempts: count.default(3),
  retryDelayMs: z.number().int().min(0).default(500),
  contextTokens: count.optional(),
  vocabularySize: count.optional(),
});

/** Checks settings, also those of plain JavaScript. Throws `CONFIG` with the path of what is wrong, never with a value. */
export function resolveSettings(given: TokenEngineSettings): ResolvedEngineSettings {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const wrong = parsed.error.issues.map(
    ({ path, message }) => `${path.join('.') || 'settings'}: ${message}`,
  );
  throw new ModelError(
    'CONFIG',
    `The settings of the token engine are wrong (${wrong.join('; ')}).`,
  );
}
