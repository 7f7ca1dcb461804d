import type { OpenToolset, Toolset } from '@hermes/protocol';
import { createProcessRegistry } from './_process-registry.ts';
import { createProcessTool } from './_process-tool.ts';
import { createRolloutShell } from './_rollout-shell.ts';
import { createTerminalTool } from './_terminal-tool.ts';
import type { ToolLimits, ToolResources } from './types.ts';

/**
 * `terminal` and `process`: one persistent shell per rollout, and background processes beside it.
 * Closing it ends the shell and every process with everything they started.
 */
export function terminalToolset(limits: ToolLimits = {}): Toolset<ToolResources> {
  return {
    name: 'terminal',
    toolNames: ['terminal', 'process'],
    open(resources, { effects }): Promise<OpenToolset> {
      const ofRun = { ...limits, ...resources.limits };
      const { commandTimeoutMs = 180_000, maxForegroundMs = 600_000 } = ofRun;
      const shell = createRolloutShell(resources, effects);
      const registry = createProcessRegistry(effects);
      const parts = { resources, shell, registry, commandTimeoutMs, maxForegroundMs };
      const tools = [
        createTerminalTool(parts),
        createProcessTool({ registry, maxWaitMs: commandTimeoutMs }),
      ];
      const close = async (): Promise<void> => {
        await registry.close();
        await shell.close();
      };
      return Promise.resolve({ tools, close });
    },
  };
}
