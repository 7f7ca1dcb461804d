export { defineTaskFolders, smoke, taskFolders } from './definitions.ts';
export { readTaskFolder } from './read-task-folder.ts';

export type { GradingConfig } from './task-folders-environment.ts';
export type {
  CopiedFile,
  Dockerfile,
  Healthcheck,
  TaskFolder,
  TaskFoldersConfig,
  TaskProblem,
} from './types.ts';
