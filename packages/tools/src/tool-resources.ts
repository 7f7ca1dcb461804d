import type { ToolResources } from './types.ts';

/** The resources of one rollout: what the caller knows, and a shell state of its own. */
export function createToolResources(options: Omit<ToolResources, 'shell'>): ToolResources {
  return { ...options, shell: { cwd: null, commandsRun: 0 } };
}
