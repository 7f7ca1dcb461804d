import { fileURLToPath } from 'node:url';
import type { ConfigSchema, EnvironmentDefinition } from '@hermes/env-core';
import * as z from 'zod';
import { findTaskFolders } from './find-task-folders.ts';
import { createTaskFoldersEnvironment, type GradingConfig } from './task-folders-environment.ts';
import type { TaskFolder, TaskFoldersConfig } from './types.ts';

const grading = {
  rewardKey: z
    .string()
    .min(1)
    .optional()
    .describe('which number of reward.json counts where it has no reward'),
  verifierShim: z
    .boolean()
    .optional()
    .describe('offline stand-ins for the installers of verifiers; marks the run'),
  timeoutMultiplier: z
    .number()
    .positive()
    .optional()
    .describe("stretches or shrinks the tasks' own time limits; marks the run"),
};
const gradingConfig: ConfigSchema<GradingConfig> = z.strictObject(grading);
const taskFoldersConfig: ConfigSchema<TaskFoldersConfig> = z.strictObject({
  path: z
    .string('a folder of tasks is needed: --path DIR')
    .min(1)
    .describe('one task folder, or a folder of them'),
  ...grading,
});

/** Any folder of tasks in Harbor's format: `path` in its configuration. */
export const taskFolders: EnvironmentDefinition<TaskFoldersConfig, TaskFolder> = {
  id: 'tasks',
  version: '1.0.0',
  description: "Task folders in Harbor's format (--path DIR)",
  config: taskFoldersConfig,
  places: ['path'],
  open: async ({ path, ...config }, context) =>
    createTaskFoldersEnvironment(await findTaskFolders(path), config, context),
};

/** An environment over task folders that a package finds by itself. folders: called at each `open`, in a fixed order. */
export function defineTaskFolders(
  id: string,
  version: string,
  folders: () => AsyncIterable<TaskFolder>,
  description = `The task folders of ${id}`,
): EnvironmentDefinition<GradingConfig, TaskFolder> {
  return {
    id,
    version,
    description,
    config: gradingConfig,
    open: async (config, context) =>
      createTaskFoldersEnvironment(await collect(folders()), config, context),
  };
}

async function collect(folders: AsyncIterable<TaskFolder>): Promise<TaskFolder[]> {
  const list: TaskFolder[] = [];
  for await (const folder of folders) list.push(folder);
  return list;
}

/** The offline tasks of this package: they need bash, coreutils, grep, sed and awk, and no absolute path. */
export const smoke: EnvironmentDefinition<GradingConfig, TaskFolder> = defineTaskFolders(
  'smoke',
  '1.0.0',
  smokeFolders,
  'Small offline shell tasks, each with a solution and a verifier',
);

async function* smokeFolders(): AsyncGenerator<TaskFolder> {
  yield* await findTaskFolders(fileURLToPath(new URL('../tasks/smoke', import.meta.url)));
}
