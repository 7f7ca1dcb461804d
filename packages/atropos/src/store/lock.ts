import { readFileSync } from 'node:fs';
import { open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { TrainerError } from '../trainer-error.ts';

/** Takes the folder for this process. Refuses while another living process has it. */
export async function takeLock(
  directory: string,
): Promise<Readonly<{ release: () => Promise<void> }>> {
  const path = join(directory, 'lock');
  const mine = `${process.pid} ${startTimeOf(process.pid)}`;
  while (!(await create(path, mine))) {
    const holder = await readFile(path, 'utf8').catch(() => '');
    if (isAlive(holder)) throw inUse(directory, holder);
    await rm(path, { force: true });
  }
  return { release: () => rm(path, { force: true }) };
}

async function create(path: string, holder: string): Promise<boolean> {
  try {
    const handle = await open(path, 'wx');
    await handle.writeFile(holder);
    await handle.close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}

/** A number alone could by now be another process's: the time of its start tells. */
function isAlive(holder: string): boolean {
  const [pid, startTime] = holder.split(' ');
  if (pid === undefined || pid === '') return false;
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return startTime === startTimeOf(Number(pid));
}

/** Clock ticks since boot: the 22nd field, the 20th after the name in brackets. `unknown` where the system does not say. */
function startTimeOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' ? 'dead' : (fields[18] ?? 'unknown');
  } catch {
    return 'unknown'; // no /proc here, or the process has just ended
  }
}

function inUse(directory: string, holder: string): TrainerError {
  const message = `The trajectory log in ${directory} is in use by process ${holder.split(' ')[0]}. Stop that server first, or give this one a folder of its own.`;
  return new TrainerError('LOG_IN_USE', message);
}
