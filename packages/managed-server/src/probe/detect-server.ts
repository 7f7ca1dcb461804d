import { ModelError } from '@hermes/protocol';
import { z } from 'zod';
import type { EngineWire } from '../wire/engine-wire.ts';
import type { DIALECTS } from './dialects.ts';

/** What a server tells of itself. */
export type ServerFacts = Readonly<{
  serverType: keyof typeof DIALECTS;
  /** In its own words, for a log. */
  version: string | null;
}>;

/** What only one kind of server answers, in the order of asking. */
const SIGNS: readonly Readonly<{
  path: string;
  serverType: keyof typeof DIALECTS;
  schema: z.ZodType<Readonly<{ version?: string | undefined }>>;
}>[] = [
  {
    path: '/get_model_info',
    serverType: 'sglang',
    schema: z.object({ model_path: z.string() }).transform(() => ({})),
  },
  {
    path: '/props',
    serverType: 'llama_cpp',
    schema: z.object({ total_slots: z.number() }).transform(() => ({})),
  },
  { path: '/version', serverType: 'vllm', schema: z.object({ version: z.string() }) },
  {
    path: '/get_world_size/',
    serverType: 'trl',
    schema: z.object({ world_size: z.number() }).transform(() => ({})),
  },
];

/** Finds out which kind of server it is; one that shows no sign of its own speaks for itself as OpenAI-compatible. */
export async function detectServer(wire: EngineWire, signal: AbortSignal): Promise<ServerFacts> {
  for (const { path, schema, serverType } of SIGNS) {
    const found = schema.safeParse(await askPolitely(wire, path, signal));
    if (found.success) return { serverType, version: found.data.version ?? null };
  }
  return { serverType: 'openai', version: null };
}

/** A server need not know a path; that it is not there, or takes no key, is another matter. undefined = no answer. */
export async function askPolitely(
  wire: EngineWire,
  path: string,
  signal: AbortSignal,
): Promise<unknown> {
  try {
    return await wire.send({ method: 'GET', path }, signal);
  } catch (error) {
    const isFinal = error instanceof ModelError && FINAL.has(error.code);
    if (isFinal || signal.aborted) throw error;
    return undefined;
  }
}

const FINAL: ReadonlySet<string> = new Set(['AUTH', 'CANCELLED', 'CONNECTION', 'TIMEOUT']);
