import { join } from 'node:path';
import type { ImageSpec, NetworkPolicy } from '@hermes/sandbox';
import type { HealthcheckToml, TaskToml } from './_toml-types.ts';
import type { CollectCommand, Dockerfile, Healthcheck, TaskFolder } from './types.ts';

/** What task.toml alone decides, in the terms of a TaskFolder. */
export type TomlFields = Pick<
  TaskFolder,
  | 'commands'
  | 'artifacts'
  | 'collect'
  | 'workdir'
  | 'network'
  | 'cpus'
  | 'gpus'
  | 'agentTimeoutMs'
  | 'verifierTimeoutMs'
  | 'buildTimeoutMs'
  | 'env'
  | 'verifierEnv'
  | 'solutionEnv'
  | 'agentUser'
  | 'verifierUser'
  | 'healthcheck'
  | 'tags'
>;

/** Turns the file's names and units into ours. */
export function fieldsOf(toml: TaskToml): TomlFields {
  const { agent, environment, metadata, solution, verifier } = toml;
  return {
    commands: metadata.commands,
    artifacts: artifactsOf(toml),
    collect: collectOf(toml),
    workdir: environment.workdir ?? null,
    network: networkPolicy(toml),
    cpus: environment.cpus ?? null,
    gpus: environment.gpus ?? null,
    agentTimeoutMs: agent.timeout_sec === undefined ? null : agent.timeout_sec * 1000,
    verifierTimeoutMs: verifier.timeout_sec * 1000,
    buildTimeoutMs: environment.build_timeout_sec * 1000,
    env: environment.env,
    verifierEnv: verifier.env,
    solutionEnv: solution.env,
    agentUser: userName(agent.user),
    verifierUser: userName(verifier.user),
    healthcheck: healthcheckOf(environment.healthcheck),
    tags: tagsOf(toml),
  };
}

/** The prebuilt image if one is named, else the Dockerfile; null = neither. */
export function imageOf(
  dir: string,
  toml: TaskToml,
  dockerfile: Dockerfile | null,
): ImageSpec | null {
  const { docker_image: ref, build_timeout_sec: seconds } = toml.environment;
  if (ref !== undefined) return { kind: 'ref', ref };
  if (dockerfile === null) return null;
  return { kind: 'build', contextDir: join(dir, 'environment'), timeoutMs: seconds * 1000 };
}

/** `network_mode`, or what the older `allow_internet` means. */
export function networkMode(toml: TaskToml): 'public' | 'no-network' | 'allowlist' {
  const { network_mode: mode, allow_internet: allowed } = toml.environment;
  return mode ?? (allowed === false ? 'no-network' : 'public');
}

function networkPolicy(toml: TaskToml): NetworkPolicy {
  const mode = networkMode(toml);
  if (mode === 'allowlist') return { mode, hosts: toml.environment.allowed_hosts };
  return { mode: mode === 'public' ? 'open' : 'none' };
}

/** The files of other services than the task's own are none of its sandbox. */
function artifactsOf({ artifacts = [] }: TaskToml): string[] {
  return artifacts.flatMap((one) => {
    if (typeof one === 'string') return [one];
    return one.service === 'main' ? [one.source] : [];
  });
}

function collectOf({ verifier }: TaskToml): CollectCommand[] {
  return verifier.collect.map(({ command, timeout_sec: seconds, user }) => ({
    command,
    timeoutMs: seconds * 1000,
    user: userName(user),
  }));
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

/** `[metadata]` is free form: what is no text (or, for tags, a list of texts) is left out. */
function tagsOf(toml: TaskToml): Readonly<Record<string, string>> {
  const entries = ['difficulty', 'category', 'tags'].flatMap((key): [string, string][] => {
    const value = toml.metadata[key];
    if (typeof value === 'string') return [[key, value]];
    const isList = Array.isArray(value) && value.every((one) => typeof one === 'string');
    return isList ? [[key, value.join(',')]] : [];
  });
  return Object.fromEntries(entries);
}
