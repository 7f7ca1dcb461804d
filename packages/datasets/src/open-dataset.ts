import { createDataset } from './create-dataset.ts';
import { type LocalFiles, openFile } from './open-file.ts';
import { openFolder } from './open-folder.ts';
import { openHub } from './open-hub.ts';
import type { Dataset, DatasetOptions, DatasetSource } from './types.ts';

/**
 * Opens a dataset: local files are digested, files of the hub are downloaded. Throws a
 * `DatasetError` that says what to do; nothing half written stays behind.
 */
export async function openDataset(
  source: DatasetSource,
  options: DatasetOptions = {},
): Promise<Dataset> {
  const signal = options.signal ?? new AbortController().signal;
  const { files, revision } = await findFiles(source, options, signal);
  return createDataset(files, revision, signal);
}

function findFiles(
  source: DatasetSource,
  options: DatasetOptions,
  signal: AbortSignal,
): Promise<LocalFiles> {
  if (source.kind === 'file') return openFile(source, signal);
  if (source.kind === 'folder') return openFolder(source, signal);
  return openHub(source, options, signal);
}
