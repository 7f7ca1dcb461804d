import { bash } from './bash.ts';
import { bashStateful } from './bash-stateful.ts';
import { readFile, writeFile } from './files.ts';
import { tmux } from './tmux.ts';
import type { ServerTool } from './tool.ts';

/** Every tool by its name on the wire. */
export const tools: ReadonlyMap<string, ServerTool> = new Map([
  ['bash', bash],
  ['bash_stateful', bashStateful],
  ['read_file', readFile],
  ['write_file', writeFile],
  ['tmux', tmux],
]);
