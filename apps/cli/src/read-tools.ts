import { resolve } from 'node:path';
import type { ToolSchema } from '@hermes/parsers';
import { HermesError } from '@hermes/protocol';
import type { CliContext } from './context.ts';
import { isRecord } from './is-record.ts';
import { readJsonFile } from './read-json-file.ts';

/** What `--tools` names: a list of tools as in a chat request, the request itself (`{"tools": [...]}`), or bare functions. */
export async function readTools(
  file: string | undefined,
  { workingDirectory }: Pick<CliContext, 'workingDirectory'>,
): Promise<readonly ToolSchema[] | undefined> {
  if (file === undefined) return undefined;
  const value = await readJsonFile(resolve(workingDirectory, file), `--tools ${file}`);
  const list = isRecord(value) && 'tools' in value ? value.tools : value;
  return (Array.isArray(list) ? list : [list]).map((tool, index) => toolOf(tool, file, index));
}

function toolOf(value: unknown, file: string, index: number): ToolSchema {
  const bare = isRecord(value) ? (value.function ?? value) : value;
  if (isRecord(bare) && isFunction(bare)) return { type: 'function', function: bare };
  const message = `--tools ${file}: tool ${index + 1} needs a function with a name and, if it has any, an object "parameters"`;
  throw new HermesError('config', 'CONFIG', message);
}

function isFunction(value: Readonly<Record<string, unknown>>): value is ToolSchema['function'] {
  const { name, parameters } = value;
  return typeof name === 'string' && (parameters === undefined || isRecord(parameters));
}
