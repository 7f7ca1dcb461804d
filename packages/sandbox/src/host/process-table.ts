import { readdir, readFile } from 'node:fs/promises';

/** A process that cannot be mistaken for a later one with the same number. */
export type ProcessId = Readonly<{ pid: number; startTicks: number }>;

/** One line of the process table, as far as killing needs it. */
export type ProcessEntry = Readonly<{
  pid: number;
  state: string;
  parent: number;
  group: number;
  session: number;
  startTicks: number;
}>;

/** The identity of a running process; null when there is none. */
export async function identifyProcess(pid: number): Promise<ProcessId | null> {
  const entry = await readProcess(pid);
  return entry === null ? null : { pid, startTicks: entry.startTicks };
}

/** True while exactly that process runs; a zombie has ended. */
export async function isProcessAlive(id: ProcessId | null): Promise<boolean> {
  if (id === null) return false;
  const entry = await readProcess(id.pid);
  return entry !== null && entry.startTicks === id.startTicks && !'ZX'.includes(entry.state);
}

/** Every process of this machine that has not ended. */
export async function listProcesses(): Promise<readonly ProcessEntry[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const entries = await Promise.all(pids.map(readProcess));
  return entries.filter((entry) => entry !== null && !'ZX'.includes(entry.state)) as ProcessEntry[];
}

/** True when the process was started with `NAME=VALUE` in its environment. False where we may not look. */
export async function hasEnvironmentEntry(pid: number, assignment: string): Promise<boolean> {
  const environment = await readText(`/proc/${pid}/environ`);
  return environment?.split('\0').includes(assignment) ?? false;
}

/** Sends a signal; a process that is already gone is no error. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function readProcess(pid: number): Promise<ProcessEntry | null> {
  const text = await readText(`/proc/${pid}/stat`);
  if (text === null) return null;
  // The name is in brackets and may hold anything, brackets and spaces too.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state = 'X', parent, group, session] = fields;
  return {
    pid,
    state,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    startTicks: Number(fields[19]),
  };
}

/** A process may end between two looks at it: unreadable counts as absent. */
async function readText(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    return null;
  }
}
