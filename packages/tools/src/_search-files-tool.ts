import type { JsonObject, Tool, ToolCallContext, ToolResult } from '@hermes/protocol';
import { z } from 'zod';
import { parseArguments } from './_arguments.ts';
import { absolutePath } from './_paths.ts';
import type { FileParts } from './_read-file-tool.ts';
import { completed, defineTool, failed } from './_tool.ts';
import { isFailure, search } from './search/search-files.ts';
import { placeOf } from './search/search-place.ts';
import { searchFilesSchema } from './search/search-schema.ts';

const MOST_RESULTS = 1000;
const MOST_CONTEXT = 50;
const WARNED_AT = 3;
const BLOCKED_AT = 4;
const ALIASES: Readonly<Record<string, string>> = { grep: 'content', find: 'files' };

const ARGUMENTS = z.object({
  pattern: z
    .string()
    .min(1)
    .max(10_000)
    .refine((text) => !text.includes('\0'), 'has a NUL in it')
    .refine(
      (text) => !text.includes('\n'),
      'has a newline in it, but lines are searched one by one',
    ),
  target: z.preprocess(
    (name) => ALIASES[String(name)] ?? name,
    z.enum(['content', 'files']).default('content'),
  ),
  path: z.string().min(1).default('.'),
  file_glob: z.string().min(1).max(1000).optional(),
  limit: z.number().int().default(50),
  offset: z.number().int().default(0),
  output_mode: z.enum(['content', 'files_only', 'count']).default('content'),
  context: z.number().int().default(0),
});
type Arguments = z.infer<typeof ARGUMENTS>;

/** The tool `search_files`: the same answer whichever program the sandbox has to search with. */
export function createSearchFilesTool(parts: FileParts): Tool {
  return defineTool({
    schema: searchFilesSchema,
    parallel: true,
    maxResultChars: 100_000,
    run: (args, context) => run(parts, args, context),
    errorDocument: (error) => ({ error }),
  });
}

async function run(
  { resources, history }: FileParts,
  args: JsonObject,
  context: ToolCallContext,
): Promise<ToolResult> {
  const parsed = parseArguments(ARGUMENTS, args);
  if (!parsed.ok) return failed('INVALID_ARGUMENTS', { error: parsed.message });
  const asked = withinBounds(parsed.value);
  const sandbox = await resources.sandbox(context.signal);
  const path = await absolutePath(asked.path, resources, sandbox);
  const moment = { turn: context.turn, commandsRun: resources.shell.commandsRun };
  const repeat = history.countRepeat(`search ${JSON.stringify({ ...asked, path })}`, moment);
  if (repeat >= BLOCKED_AT) return alreadySearched(asked.pattern, repeat);
  const place = await placeOf(sandbox, path, asked.path);
  if ('error' in place) return failed(place.code, { error: place.error });
  const document = await search(sandbox, place, asked, context.signal);
  if (isFailure(document)) return failed(document.code, { error: document.error });
  return completed(
    repeat >= WARNED_AT ? { ...document, _warning: repeatWarning(repeat) } : document,
  );
}

function withinBounds(args: Arguments): Arguments {
  const within = (value: number, least: number, most: number): number =>
    Math.min(most, Math.max(least, value));
  return {
    ...args,
    limit: within(args.limit, 1, MOST_RESULTS),
    offset: Math.max(0, args.offset),
    context: within(args.context, 0, MOST_CONTEXT),
  };
}

function alreadySearched(pattern: string, repeat: number): ToolResult {
  const error = `BLOCKED: you made this very search ${repeat} times in a row and nothing else happened in between. You have the results; go on with the task.`;
  return failed('REPEATED_SEARCH', { error, pattern, already_searched: repeat });
}

function repeatWarning(repeat: number): string {
  return `You have made exactly this search ${repeat} times in a row and the results are the same. Use what you have; the next time will be refused.`;
}
