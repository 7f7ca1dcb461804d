// What a rollout's tools work with.

// The toolsets.
export { fileToolset } from './file-toolset.ts';
// Which of them a rollout gets.
export { resolveToolsets } from './resolve-toolsets.ts';
// Keeping long results out of the context.
export { createResultBudget } from './result-budget.ts';
export { terminalToolset } from './terminal-toolset.ts';
export { todoToolset } from './todo-toolset.ts';
export type { ToolContextOptions } from './tool-context.ts';

// The verifier's hands.
export { createToolContext } from './tool-context.ts';
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
