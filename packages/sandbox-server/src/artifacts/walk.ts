import { posix } from 'node:path';
import type { FileStat, Sandbox } from '@hermes/sandbox';
import type { Place } from './inside-workspace.ts';
import { fileRefusal } from './read-head.ts';

/** Something below a folder. shown: as callers know it. */
export type Entry = Readonly<{ shown: string; stat: FileStat }>;

/** What is in a folder, and with isRecursive below it, sorted, folders before what they hold; links are not followed. Throws a Refusal (404, 400). */
export async function* walk(
  sandbox: Sandbox,
  place: Place,
  isRecursive: boolean,
): AsyncGenerator<Entry> {
  const listed = await sandbox.files.list(place.path);
  if (!listed.ok) throw fileRefusal(listed.code, place.shown);
  const entries = listed.value.map((stat) => ({ stat, name: posix.basename(stat.path) }));
  entries.sort((one, other) => (one.name < other.name ? -1 : 1));
  for (const { stat, name } of entries) {
    const shown = posix.join(place.shown, name);
    yield { shown, stat };
    if (isRecursive && stat.type === 'directory')
      yield* walk(sandbox, { path: posix.join(place.path, name), shown }, true);
  }
}
