import { join } from 'node:path';
import type { Effects } from '@hermes/protocol';
import { withDefaultEffects } from '../_effects.ts';
import { growingFile } from '../_growing-file.ts';
import type { MetricTarget } from '../types.ts';
import { eventOf, versionEvent } from './event.ts';
import { tfRecord } from './tf-record.ts';

/** Event files as TensorBoard reads them: each process writes one of its own into the folder, and all of them are one run. */
export function createTensorBoardTarget(
  folder: string,
  effects: Partial<Effects> = {},
): MetricTarget {
  const { clock, newId } = withDefaultEffects(effects);
  const { wallMs } = clock.now();
  const file = growingFile(join(folder, fileName(wallMs, newId('hermes'))));
  let events: readonly Uint8Array[] = [versionEvent(wallMs)];
  return {
    name: folder,
    write: async (entries) => {
      await file.append(Buffer.concat([...events, ...entries.map(eventOf)].map(tfRecord)));
      events = []; // the version is said once
    },
    close: () => file.close(),
  };
}

/** TensorBoard reads the files of a folder in the order of their names: the time comes first. */
function fileName(wallMs: number, id: string): string {
  const seconds = String(Math.floor(wallMs / 1000)).padStart(10, '0');
  return `events.out.tfevents.${seconds}.${id}`;
}
