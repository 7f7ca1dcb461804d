import { resolve } from 'node:path';

/** A file or folder as seen from the folder of the command. */
export function placeOfPath(path: string, from: string): string {
  return resolve(from, path);
}

/** The same for data; `builtin` and places on the hub (`hf://`) stay as they are. */
export function placeOfData(dataset: string, from: string): string {
  return dataset === 'builtin' || /^[a-z][a-z0-9+.-]*:\/\//i.test(dataset)
    ? dataset
    : resolve(from, dataset);
}
