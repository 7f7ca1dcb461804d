import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '@hermes/protocol';
import type { DataPosition } from '../_group-log.ts';
import { parseLine, writeAtomically } from '../_jsonl-file.ts';
import { makeFolder } from '../_make-folder.ts';
import { isDue } from './_groups-wanted.ts';
import type { Joined } from './_trainer-link.ts';

/**
 * Keeps the position in the data beside the trainer's own checkpoint, when one was due between the two
 * steps: `env_checkpoints/NAME/step-N.json`. The folder is the trainer's and may be on another machine:
 * what cannot be written is logged, and the training goes on.
 */
export async function saveCheckpoint(
  { checkpointDir, checkpointEvery: every, name }: Joined,
  stepBefore: number,
  stepNow: number,
  position: DataPosition,
  logger: Logger,
): Promise<void> {
  if (checkpointDir === '' || !isDue(stepBefore, stepNow, every)) return;
  const folder = join(checkpointDir, 'env_checkpoints', name);
  const step = Math.floor(stepNow / every) * every;
  try {
    await makeFolder(folder);
    await writeAtomically(join(folder, `step-${step}.json`), `${JSON.stringify(position)}\n`);
  } catch (error) {
    logger.log('warn', `The data position of step ${step} was not saved: ${String(error)}`);
  }
}

/** The position that belongs to the step at which a trainer goes on; under any number that it gave this environment. null: there is none. */
export async function loadCheckpoint(
  { checkpointDir, step }: Joined,
  environmentName: string,
): Promise<DataPosition | null> {
  if (checkpointDir === '' || step <= 0) return null;
  const root = join(checkpointDir, 'env_checkpoints');
  const folders = (await namesIn(root)).filter(
    (name) => name.slice(0, name.lastIndexOf('_')) === environmentName,
  );
  const files = await Promise.all(
    folders.map(async (folder) =>
      (await namesIn(join(root, folder))).map((file) => ({
        path: join(root, folder, file),
        step: Number(/^step-(\d+)\.json$/.exec(file)?.[1] ?? Number.NaN),
      })),
    ),
  );
  const [best] = files
    .flat()
    .filter((file) => file.step <= step)
    .toSorted((one, other) => other.step - one.step);
  return best === undefined ? null : readPosition(best.path);
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []); // there is none, or it is on the trainer's machine
}

async function readPosition(path: string): Promise<DataPosition | null> {
  const bytes = await readFile(path);
  const position = parseLine({ bytes, whole: true }) as Partial<DataPosition> | undefined;
  return position?.v === 1 ? (position as DataPosition) : null;
}
