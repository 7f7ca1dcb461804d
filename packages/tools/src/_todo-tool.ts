import type { JsonObject, Tool, ToolResult, ToolSchema } from '@hermes/protocol';
import { z } from 'zod';
import { parseArguments } from './_arguments.ts';
import { summaryOf, type TodoList } from './_todo-list.ts';
import { completed, defineTool, failed } from './_tool.ts';

const SCHEMA: ToolSchema = {
  type: 'function',
  function: {
    name: 'todo',
    description: `Keep a list of what is to be done in this task. Use it when there are three or more steps, and when the task brings several wishes at once.

Call it without todos to read the list. With todos the list becomes what you give; with merge=true only the items that you give change, found by id, and new ids are added at the end. The order is the priority. Keep one item in_progress at a time, and mark an item completed as soon as it is done. Cancel what is no longer needed. The whole list is always returned.`,
    parameters: {
      type: 'object',
      properties: {
        todos: {
          type: 'array',
          description: 'The items to write; leave it out to read the list',
          items: {
            type: 'object',
            properties: {
              id: { type: 'string', description: 'A name of its own for the item' },
              content: { type: 'string', description: 'What is to be done' },
              status: {
                type: 'string',
                enum: ['pending', 'in_progress', 'completed', 'cancelled'],
                description: 'How far it is',
              },
            },
            required: ['id', 'content', 'status'],
          },
        },
        merge: {
          type: 'boolean',
          description: 'true: change and add the given items. false: they replace the list',
          default: false,
        },
      },
      required: [],
    },
  },
};

const ARGUMENTS = z.object({
  todos: z.array(z.looseObject({})).optional(),
  merge: z.boolean().default(false),
});

/** The tool `todo` over one rollout's list. */
export function createTodoTool(list: TodoList): Tool {
  return defineTool({
    schema: SCHEMA,
    parallel: false,
    run: (args) => Promise.resolve(run(list, args)),
    errorDocument: (error) => ({ error }),
  });
}

function run(list: TodoList, args: JsonObject): ToolResult {
  const parsed = parseArguments(ARGUMENTS, args);
  if (!parsed.ok) return failed('INVALID_ARGUMENTS', { error: parsed.message });
  const { todos, merge } = parsed.value;
  if (todos !== undefined) {
    if (merge) list.merge(todos);
    else list.replace(todos);
  }
  const items = list.items();
  return completed({ todos: items, summary: summaryOf(items) });
}
