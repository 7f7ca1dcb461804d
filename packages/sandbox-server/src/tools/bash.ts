import { z } from 'zod';
import { commandAnswer } from './command-answer.ts';
import { BYTES_OF_CHARACTER } from './head-of.ts';
import { isolationArguments, isolationOf, refuseIsolation } from './isolation.ts';
import { defineTool, type ServerTool } from './tool.ts';

const schema = z.object({ command: z.string(), ...isolationArguments });

/** One command in a fresh shell. What it leaves running ends with it. */
export const bash: ServerTool = defineTool(schema, (args, capabilities) => {
  const refusal = refuseIsolation(args, capabilities);
  if (refusal !== null) return refusal;
  return {
    allowNetwork: args.allow_network,
    run: async ({ lease, limits, timeoutMs, signal }) => {
      lease.hasRun = true;
      const result = await lease.sandbox.exec({
        command: { script: args.command },
        timeoutMs,
        signal,
        output: { maxBytes: limits.outputChars * BYTES_OF_CHARACTER, keep: 'head' },
      });
      return commandAnswer(result, isolationOf(lease), limits.outputChars);
    },
  };
});
