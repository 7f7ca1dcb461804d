import { basename, join, resolve } from 'node:path';
import type { Capabilities } from '@hermes/sandbox';
import { usesAbsolutePaths } from './_absolute-paths.ts';
import { digestFolder } from './_digest.ts';
import { gradingOf } from './_grading.ts';
import { INSTALLERS, lintTestScript } from './_lint.ts';
import { namedPlaces } from './_named-places.ts';
import { readTextOrNull } from './_read-text.ts';
import { rewardNamesOf } from './_reward-names.ts';
import { taskError } from './_task-error.ts';
import { readScripts } from './_task-scripts.ts';
import { fieldsOf, imageOf, networkMode } from './_toml-fields.ts';
import { lineOfKey } from './_toml-place.ts';
import type { TaskToml } from './_toml-types.ts';
import { parseDockerfile } from './dockerfile/parse-dockerfile.ts';
import { parseTaskToml } from './parse-task-toml.ts';
import type { Dockerfile, TaskFolder } from './types.ts';
import { showsSetupFailure } from './verifier-setup-failure.ts';

/** Reads one task folder. Throws boundary data, code TASK, with file and line; a folder without tests is one. */
export async function readTaskFolder(dir: string): Promise<TaskFolder> {
  const root = resolve(dir);
  const text = await required(root, 'task.toml', 'is missing: not a task folder');
  const { toml, memoryBytes, diskBytes, problems } = parseTaskToml(text, `${root}/`);
  refuseUnknownShapes(root, text, toml);
  const instruction = await required(root, 'instruction.md', 'is missing: the task has no prompt');
  const testScript = await required(root, 'tests/test.sh', 'is missing: the task has no verifier');
  const dockerfileText = await readTextOrNull(root, 'environment/Dockerfile');
  const dockerfile = await readDockerfile(root, dockerfileText);
  const fields = fieldsOf(toml);
  const tests = await readScripts(root, 'tests');
  const scripts = [...tests, ...(await readScripts(root, 'solution'))];
  return {
    ...fields,
    name: basename(root),
    dir: root,
    digest: await digestFolder(root),
    instruction,
    image: imageOf(root, toml, dockerfile),
    dockerfile,
    needs: needsOf(toml, usesAbsolutePaths(instruction, scripts, dockerfile)),
    grading: gradingOf(toml, tests, dockerfileText),
    namedPlaces: namedPlaces([instruction, ...tests]),
    rewardNames: await rewardNamesOf(root),
    installsTools: tests.some((text) => INSTALLERS.test(text) || showsSetupFailure(text)),
    unsupported: await unsupportedShape(root, toml),
    memoryBytes,
    diskBytes,
    hasSolution: (await readTextOrNull(root, 'solution/solve.sh')) !== null,
    problems: [...problems, ...lintTestScript(testScript, fields.network)],
  };
}

async function required(dir: string, name: string, message: string): Promise<string> {
  const text = await readTextOrNull(dir, name);
  if (text === null) throw taskError(join(dir, name), message);
  return text;
}

/** What would be played wrongly rather than not at all. */
function refuseUnknownShapes(dir: string, text: string, toml: TaskToml): void {
  const fail = (path: readonly string[], message: string): never => {
    throw taskError(`${dir}/task.toml:${lineOfKey(text, path)}`, message);
  };
  if (toml.steps !== undefined)
    fail(['steps'], 'tasks of several steps ([[steps]]) are not supported yet');
  if (toml.environment.os === 'windows')
    fail(['environment', 'os'], 'windows tasks are not supported');
  if (toml.environment.mcp_servers.length > 0)
    fail(['environment', 'mcp_servers'], 'mcp_servers are not supported yet');
  for (const table of ['agent', 'verifier'] as const) {
    const mode = toml[table].network_mode;
    if (mode !== undefined && mode !== networkMode(toml))
      fail(
        [table, 'network_mode'],
        `a network_mode of [${table}] other than that of [environment] is not supported yet`,
      );
  }
}

async function readDockerfile(dir: string, text: string | null): Promise<Dockerfile | null> {
  if (text === null) return null;
  if ((await readTextOrNull(dir, 'environment/.dockerignore')) !== null)
    return { kind: 'other', reason: 'a .dockerignore' };
  return parseDockerfile(text, join(dir, 'environment'));
}

function needsOf(toml: TaskToml, usesPaths: boolean): Partial<Capabilities> {
  const needsPaths = toml.metadata.absolute_paths ?? usesPaths;
  const hasUsers = toml.agent.user !== undefined || toml.verifier.user !== undefined;
  return {
    ...(needsPaths ? { absolutePaths: true } : {}),
    ...(hasUsers ? { users: true } : {}),
    ...((toml.environment.gpus ?? 0) > 0 ? { gpu: true } : {}),
  };
}

async function unsupportedShape(dir: string, toml: TaskToml): Promise<string | null> {
  if (Object.keys(toml.verifier.environment ?? {}).length > 0)
    return 'an environment of its own for the verifier ([verifier.environment])';
  if (toml.environment.tpu !== undefined) return 'a TPU';
  const compose = await readTextOrNull(dir, 'environment/docker-compose.yaml');
  return compose === null ? null : 'the services of a docker-compose.yaml';
}
