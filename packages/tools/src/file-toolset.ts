import type { OpenToolset, Toolset } from '@hermes/protocol';
import { createPatchTool } from './_patch-tool.ts';
import { createReadFileTool } from './_read-file-tool.ts';
import { createReadHistory } from './_read-history.ts';
import { createSearchFilesTool } from './_search-files-tool.ts';
import { createWriteFileTool } from './_write-file-tool.ts';
import type { ToolResources } from './types.ts';

/** `read_file`, `write_file`, `patch` and `search_files`, on the sandbox's own files, from where the rollout's shell stands. */
export function fileToolset(): Toolset<ToolResources> {
  return {
    name: 'file',
    toolNames: ['read_file', 'write_file', 'patch', 'search_files'],
    open(resources): Promise<OpenToolset> {
      const parts = { resources, history: createReadHistory() };
      const creators = [
        createReadFileTool,
        createWriteFileTool,
        createPatchTool,
        createSearchFilesTool,
      ];
      return Promise.resolve({ tools: creators.map((create) => create(parts)) });
    },
  };
}
