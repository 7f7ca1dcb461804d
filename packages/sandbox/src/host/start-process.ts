import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { SandboxError } from '../types.ts';
import type { PipedChild } from './byte-channel.ts';
import type { Argv, Layout } from './launcher.ts';

/** How a process gets to run on the host. */
export type StartOptions = Readonly<{
  argv: Argv;
  cwd: string;
  env: Readonly<Record<string, string>>;
  /** Control group files into which the process writes itself before it becomes the program. */
  joinFiles: readonly string[];
  /** Present: the program is waited for until it says on descriptor 3 what this reads. */
  readInitPid?: Layout['readInitPid'];
}>;

/** A started process; `initPid`: the first process of its own process namespace, where it has one. */
export type StartedProcess = Readonly<{ child: PipedChild; initPid: number | null }>;

/**
 * Joins the groups, asks the kernel to spare this process when memory runs out (only root may), closes what the
 * harness itself inherited (an open host folder would be a way out), and becomes the program.
 */
const START_SCRIPT = `while [ "$1" != -- ]; do echo $$ > "$1" || exit 125; shift; done; shift
{ echo -500 > /proc/self/oom_score_adj; } 2> /dev/null
if [ -n "$BASH_VERSION" ]; then
  for path in /proc/self/fd/*; do fd=\${path##*/}; if [ "$fd" -gt 3 ]; then eval "exec $fd>&-"; fi; done
fi
exec "$@"`;

/** Starts a process in a session of its own. Throws SANDBOX_UNHEALTHY when it could not start, with what it said. */
export async function startProcess(options: StartOptions): Promise<StartedProcess> {
  const { argv, readInitPid } = options;
  const [shell, ...flags] = shellCommand();
  const words = [...flags, '-c', START_SCRIPT, 'sh', ...options.joinFiles, '--', ...argv];
  const child = spawn(shell, words, {
    cwd: options.cwd,
    env: { ...options.env },
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', readInitPid === undefined ? 'ignore' : 'pipe'],
  }) as PipedChild;
  try {
    await once(child, 'spawn');
  } catch (error) {
    throw startError(argv[0], String(error));
  }
  if (readInitPid === undefined) return { child, initPid: null };
  const statusLine = await readStatusLine(child);
  const initPid = statusLine === undefined ? null : readInitPid(statusLine);
  if (initPid !== null) return { child, initPid };
  // One that said something else may run on, and then its error output never ends.
  if (statusLine !== undefined) child.kill('SIGKILL');
  throw startError(argv[0], await readAll(child.stderr));
}

// Only bash can close descriptors above 9. --norc: with a socket as its input it would read the user's .bashrc.
function shellCommand(): readonly [string, ...string[]] {
  const bash = ['/bin/bash', '/usr/bin/bash'].find((path) => existsSync(path));
  return bash === undefined ? ['/bin/sh'] : [bash, '--norc', '--noprofile'];
}

/** Undefined when the program ended without a word. */
async function readStatusLine(child: PipedChild): Promise<string | undefined> {
  const pipe = child.stdio[3] as Readable;
  const lines = createInterface({ input: pipe });
  const [line] = (await Promise.race([once(lines, 'line'), once(lines, 'close')])) as [string?];
  // The pipe stays open: bubblewrap writes its end there, and a closed one would end it with SIGPIPE.
  pipe.resume();
  return line;
}

async function readAll(stream: Readable): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  return text.trim();
}

function startError(program: string, said: string): SandboxError {
  const message = `start a sandbox: ${program} could not start: ${said === '' ? 'it said nothing' : said}`;
  return new SandboxError('SANDBOX_UNHEALTHY', 'sandbox', message);
}
