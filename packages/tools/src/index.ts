export type {
  ToolResources,
  ToolLimits,
  ToolsetCatalog,
  ToolsetChoice,
  ToolContext,
  ToolExecOptions,
} from './types.ts';
