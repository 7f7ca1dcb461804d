import { HermesError } from '@hermes/protocol';
import type { AgentLimits, AgentLoopOptions } from './options.ts';

const FILE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** Throws `CONFIG` for options that no run could work with. */
export function checkOptions({ identity, limits, subagents, tools }: AgentLoopOptions): void {
  checkNames(tools.map((tool) => tool.schema.function.name));
  checkLimits('limits', limits ?? {});
  checkLimits('subagents.limits', subagents?.limits ?? {});
  checkWhole('subagents.maxParallel', subagents?.maxParallel, 1);
  checkWhole('subagents.maxDepth', subagents?.maxDepth, 0);
  checkId('rollout', identity.rolloutId);
  checkId('invocation', identity.invocationId ?? 'root');
}

/** Files are called by them. */
function checkId(kind: string, id: string): void {
  if (!FILE_NAME.test(id)) refuse(`The ${kind} id '${id}' must match ${FILE_NAME.source}.`);
}

function checkNames(names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) refuse(`Two tools have the name '${twice}'; give one of them another.`);
}

function checkLimits(place: string, limits: AgentLimits): void {
  checkWhole(`${place}.maxTurns`, limits.maxTurns, 1);
  checkWhole(`${place}.maxTotalTokens`, limits.maxTotalTokens, 1);
  checkWhole(`${place}.maxOutputTokens`, limits.maxOutputTokens, 1);
  checkPositive(`${place}.maxCostUsd`, limits.maxCostUsd);
  checkPositive(`${place}.deadlineMs`, limits.deadlineMs);
}

/** Absent and Infinity are no limit. */
export function checkWhole(name: string, value: number | undefined, least: number): void {
  if (value === undefined || value === Number.POSITIVE_INFINITY) return;
  if (Number.isInteger(value) && value >= least) return;
  refuse(`${name} is ${value}; it must be a whole number of at least ${least}.`);
}

function checkPositive(name: string, value: number | undefined): void {
  if (value === undefined || value > 0) return;
  refuse(`${name} is ${value}; it must be greater than 0.`);
}

function refuse(message: string): never {
  throw new HermesError('config', 'CONFIG', message);
}
