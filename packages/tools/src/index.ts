export { createToolResources } from './tool-resources.ts';

export type {
  ResolvedToolsets,
  ShellState,
  ToolContext,
  ToolExecOptions,
  ToolLimits,
  ToolResources,
  ToolsetCatalog,
  ToolsetChoice,
} from './types.ts';
