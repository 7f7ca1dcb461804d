export type { DatasetErrorCode } from './dataset-error.ts';
export { DatasetError } from './dataset-error.ts';
export { openDataset } from './open-dataset.ts';
export { parseDatasetSource } from './parse-dataset-source.ts';
export type { DatasetEnvironment } from './settings.ts';
export { datasetSettings } from './settings.ts';
export type {
  Dataset,
  DatasetOptions,
  DatasetSource,
  FileSource,
  FolderSource,
  HubSource,
} from './types.ts';
