import { access, constants } from 'node:fs/promises';
import { usedBytes } from '@hermes/sandbox/host';
import { z } from 'zod';
import type { Engine } from './engine.ts';
import { ANSWER_MS, limited } from './limited.ts';

/** The library's types leave the size out. */
const infoSchema = z.looseObject({
  SizeRw: z.number(),
  GraphDriver: z
    .looseObject({ Data: z.looseObject({ UpperDir: z.string().optional() }).nullish() })
    .optional(),
});

/**
 * What a container's own files take. The daemon takes the holes of files for bytes, so what it says to be above `suspectBytes` is
 * looked at on the disk, where that is this machine's and we may read it.
 */
export async function containerSize(
  { docker, isLocal }: Engine,
  id: string,
  suspectBytes: number,
): Promise<number> {
  const options = { size: true, abortSignal: limited(ANSWER_MS) };
  const { SizeRw, GraphDriver } = infoSchema.parse(await docker.getContainer(id).inspect(options));
  const folder = GraphDriver?.Data?.UpperDir;
  if (SizeRw <= suspectBytes || !isLocal || folder === undefined) return SizeRw;
  return (await mayRead(folder)) ? usedBytes(folder) : SizeRw;
}

function mayRead(folder: string): Promise<boolean> {
  return access(folder, constants.R_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
}
