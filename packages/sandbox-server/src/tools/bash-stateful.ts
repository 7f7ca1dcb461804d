import type { ShellSession } from '@hermes/sandbox';
import { z } from 'zod';
import type { Lease } from '../slots/lease.ts';
import { commandAnswer } from './command-answer.ts';
import { BYTES_OF_CHARACTER } from './head-of.ts';
import { isolationArguments, isolationOf, refuseIsolation } from './isolation.ts';
import { defineTool, failed, type ServerTool } from './tool.ts';

const schema = z.object({
  command: z.string(),
  ...isolationArguments,
  require_stateful_sandbox: z.boolean().default(false),
});

/** A command in the slot's own shell: directory, variables and functions stay. A timeout ends the command, not the shell. */
export const bashStateful: ServerTool = defineTool(schema, (args, capabilities) => {
  const requireSandbox = args.require_sandbox || args.require_stateful_sandbox;
  const refusal = refuseIsolation({ ...args, require_sandbox: requireSandbox }, capabilities);
  if (refusal !== null) return refusal;
  return {
    allowNetwork: args.allow_network,
    run: async ({ lease, limits, timeoutMs, signal }) => {
      if (!lease.sandbox.capabilities.sessions)
        return failed('bash_stateful: this sandbox has no sessions; use bash');
      lease.hasRun = true;
      const session = await sessionOf(lease);
      const result = await session.exec({
        command: { script: args.command },
        timeoutMs,
        signal,
        output: { maxBytes: limits.outputChars * BYTES_OF_CHARACTER, keep: 'head' },
      });
      // its shell has ended (`exit`): the next command gets a new one
      if (result.cwdAfter === null) lease.session = null;
      const metadata = { ...isolationOf(lease), cwd: result.cwdAfter, session_id: session.id };
      return commandAnswer(result, metadata, limits.outputChars);
    },
  };
});

async function sessionOf(lease: Lease): Promise<ShellSession> {
  lease.session ??= await lease.sandbox.session();
  return lease.session;
}
