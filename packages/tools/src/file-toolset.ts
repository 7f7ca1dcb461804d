import type { OpenToolset, Toolset } from '@hermes/protocol';
import { createReadFileTool } from './_read-file-tool.ts';
import { createReadHistory } from './_read-history.ts';
import { createWriteFileTool } from './_write-file-tool.ts';
import type { ToolResources } from './types.ts';

/** `read_file` and `write_file`, on the sandbox's own files, from where the rollout's shell stands. */
export function fileToolset(): Toolset<ToolResources> {
  return {
    name: 'file',
    toolNames: ['read_file', 'write_file'],
    open(resources): Promise<OpenToolset> {
      const parts = { resources, history: createReadHistory() };
      return Promise.resolve({ tools: [createReadFileTool(parts), createWriteFileTool(parts)] });
    },
  };
}
