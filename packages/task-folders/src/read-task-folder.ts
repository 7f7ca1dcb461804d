import { basename, join, resolve } from 'node:path';
import type { Capabilities, ImageSpec, NetworkPolicy } from '@hermes/sandbox';
import { usesAbsolutePaths } from './_absolute-paths.ts';
import { digestFolder } from './_digest.ts';
import { lintTestScript } from './_lint.ts';
import { readTextOrNull } from './_read-text.ts';
import { taskError } from './_task-error.ts';
import { lineOfKey } from './_toml-place.ts';
import type { HealthcheckToml, TaskToml } from './_toml-types.ts';
import { parseDockerfile } from './dockerfile/parse-dockerfile.ts';
import { parseTaskToml } from './parse-task-toml.ts';
import type { Dockerfile, Healthcheck, TaskFolder } from './types.ts';

/** Reads one task folder. Throws boundary data, code TASK, with file and line; a folder without tests is one. */
export async function readTaskFolder(dir: string): Promise<TaskFolder> {
  const root = resolve(dir);
  const text = await required(root, 'task.toml', 'is missing: not a task folder');
  const { toml, memoryBytes, diskBytes, problems } = parseTaskToml(text, `${root}/`);
  refuseUnknownShapes(root, text, toml);
  const instruction = await required(root, 'instruction.md', 'is missing: the task has no prompt');
  const testScript = await required(root, 'tests/test.sh', 'is missing: the task has no verifier');
  const dockerfile = await readDockerfile(root);
  const network = networkPolicy(toml);
  return {
    name: basename(root),
    dir: root,
    digest: await digestFolder(root),
    instruction,
    commands: toml.metadata.commands,
    image: imageOf(root, toml, dockerfile),
    dockerfile,
    workdir: toml.environment.workdir ?? null,
    network,
    needs: await needsOf(root, instruction, toml, dockerfile),
    unsupported: await unsupportedShape(root, toml),
    cpus: toml.environment.cpus ?? null,
    memoryBytes,
    diskBytes,
    gpus: toml.environment.gpus ?? null,
    ...timeouts(toml),
    env: toml.environment.env,
    verifierEnv: toml.verifier.env,
    solutionEnv: toml.solution.env,
    agentUser: userName(toml.agent.user),
    verifierUser: userName(toml.verifier.user),
    healthcheck: healthcheckOf(toml.environment.healthcheck),
    hasSolution: (await readTextOrNull(root, 'solution/solve.sh')) !== null,
    tags: tagsOf(toml),
    problems: [...problems, ...lintTestScript(testScript, network)],
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

async function readDockerfile(dir: string): Promise<Dockerfile | null> {
  const text = await readTextOrNull(dir, 'environment/Dockerfile');
  if (text === null) return null;
  if ((await readTextOrNull(dir, 'environment/.dockerignore')) !== null)
    return { kind: 'other', reason: 'a .dockerignore' };
  return parseDockerfile(text, join(dir, 'environment'));
}

function imageOf(dir: string, toml: TaskToml, dockerfile: Dockerfile | null): ImageSpec | null {
  const { docker_image: ref, build_timeout_sec: seconds } = toml.environment;
  if (ref !== undefined) return { kind: 'ref', ref };
  if (dockerfile === null) return null;
  return { kind: 'build', contextDir: join(dir, 'environment'), timeoutMs: seconds * 1000 };
}

function networkMode(toml: TaskToml): 'public' | 'no-network' | 'allowlist' {
  const { network_mode: mode, allow_internet: allowed } = toml.environment;
  return mode ?? (allowed === false ? 'no-network' : 'public');
}

function networkPolicy(toml: TaskToml): NetworkPolicy {
  const mode = networkMode(toml);
  if (mode === 'allowlist') return { mode, hosts: toml.environment.allowed_hosts };
  return { mode: mode === 'public' ? 'open' : 'none' };
}

async function needsOf(
  dir: string,
  instruction: string,
  toml: TaskToml,
  dockerfile: Dockerfile | null,
): Promise<Partial<Capabilities>> {
  const declared = toml.metadata.absolute_paths;
  const needsPaths = declared ?? (await usesAbsolutePaths(dir, instruction, dockerfile));
  const hasUsers = toml.agent.user !== undefined || toml.verifier.user !== undefined;
  return {
    ...(needsPaths ? { absolutePaths: true } : {}),
    ...(hasUsers ? { users: true } : {}),
    ...((toml.environment.gpus ?? 0) > 0 ? { gpu: true } : {}),
  };
}

async function unsupportedShape(dir: string, toml: TaskToml): Promise<string | null> {
  if (toml.verifier.environment_mode === 'separate') return 'a separate verifier environment';
  if (toml.environment.tpu !== undefined) return 'a TPU';
  const compose = await readTextOrNull(dir, 'environment/docker-compose.yaml');
  return compose === null ? null : 'the services of a docker-compose.yaml';
}

function timeouts(
  toml: TaskToml,
): Pick<TaskFolder, 'agentTimeoutMs' | 'verifierTimeoutMs' | 'buildTimeoutMs'> {
  const agentSeconds = toml.agent.timeout_sec;
  return {
    agentTimeoutMs: agentSeconds === undefined ? null : agentSeconds * 1000,
    verifierTimeoutMs: toml.verifier.timeout_sec * 1000,
    buildTimeoutMs: toml.environment.build_timeout_sec * 1000,
  };
}

function userName(user: string | number | undefined): string | null {
  return user === undefined ? null : String(user);
}

function healthcheckOf(toml: HealthcheckToml | undefined): Healthcheck | null {
  if (toml === undefined) return null;
  return {
    command: toml.command,
    intervalMs: toml.interval_sec * 1000,
    timeoutMs: toml.timeout_sec * 1000,
    startPeriodMs: toml.start_period_sec * 1000,
    startIntervalMs: toml.start_interval_sec * 1000,
    retries: toml.retries,
  };
}

function tagsOf(toml: TaskToml): Readonly<Record<string, string>> {
  const { difficulty, category, tags } = toml.metadata;
  return {
    ...(difficulty === undefined ? {} : { difficulty }),
    ...(category === undefined ? {} : { category }),
    ...(tags === undefined ? {} : { tags: tags.join(',') }),
  };
}
