import type { Capabilities } from '@hermes/sandbox';
import type { z } from 'zod';
import type { Lease } from '../slots/lease.ts';
import type { ServerLimits } from '../types.ts';

/** What a tool did, as the wire has it but for the execution id. */
export type ToolAnswer = Readonly<{
  success: boolean;
  output: string;
  /** Empty on success. */
  error: string;
  metadata: Readonly<Record<string, unknown>>;
}>;

/** What a tool works with. */
export type ToolContext = Readonly<{
  lease: Lease;
  limits: ServerLimits;
  timeoutMs: number;
  /** Fires when the slot is reset. */
  signal: AbortSignal;
}>;

/** Arguments that were read: what they demand of the slot, and what is done there. */
export type PreparedTool = Readonly<{
  /** null: it does not matter. */
  allowNetwork: boolean | null;
  run: (context: ToolContext) => Promise<ToolAnswer>;
}>;

/** A tool of the server. prepare: an answer where the arguments are wrong, or the provider cannot give what they demand. */
export type ServerTool = (args: unknown, capabilities: Capabilities) => PreparedTool | ToolAnswer;

/** A tool by the schema of its arguments. Arguments that nobody knows are ignored, as the original did. */
export function defineTool<Args>(
  schema: z.ZodType<Args>,
  prepare: (args: Args, capabilities: Capabilities) => PreparedTool | ToolAnswer,
): ServerTool {
  return (given, capabilities) => {
    const parsed = schema.safeParse(given);
    if (parsed.success) return prepare(parsed.data, capabilities);
    const [issue] = parsed.error.issues;
    return failed(`args.${issue?.path.join('.')}: ${issue?.message}`);
  };
}

/** An answer that says what went wrong. */
export function failed(error: string, metadata: ToolAnswer['metadata'] = {}): ToolAnswer {
  return { success: false, output: '', error, metadata };
}

export function done(output: string, metadata: ToolAnswer['metadata'] = {}): ToolAnswer {
  return { success: true, output, error: '', metadata };
}
