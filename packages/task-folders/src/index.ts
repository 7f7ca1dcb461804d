export type { TaskFoldersConfig, TaskFolder } from './types.ts';
