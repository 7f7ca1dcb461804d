import type { OpenToolset, Toolset } from '@hermes/protocol';
import { createTodoList } from './_todo-list.ts';
import { createTodoTool } from './_todo-tool.ts';

/** `todo`: a list that a model keeps for itself. Each rollout has its own, and it ends with it. */
export function todoToolset(): Toolset {
  return {
    name: 'todo',
    toolNames: ['todo'],
    open(): Promise<OpenToolset> {
      return Promise.resolve({ tools: [createTodoTool(createTodoList())] });
    },
  };
}
