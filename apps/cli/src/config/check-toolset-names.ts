import { createEffects, type RunConfig } from '@hermes/env-core';
import { HermesError } from '@hermes/protocol';
import {
  fileToolset,
  resolveToolsets,
  type ToolsetChoice,
  terminalToolset,
  todoToolset,
} from '@hermes/tools';
import { findAnnounced } from '../environments/announced-environments.ts';
import { isBuiltin } from '../environments/known-environments.ts';

/** Against the toolsets of this system and the names of older configurations; modules are not loaded. Throws CONFIG for a name that is none of them. */
export function checkToolsetNames({ env }: RunConfig, environment: string | null): void {
  const hasMore = mayHaveToolsets(environment);
  const isName = (name: string): boolean => !/[/:]/.test(name);
  const isTold = (name: string): boolean => !hasMore || !isUnlikeAll(name);
  const names = (list: readonly string[] | null) => (list ?? []).filter(isName).filter(isTold);
  const disabled = names(env.disabledToolsets);
  const { distribution } = env;
  const choice = distribution === null ? { enabled: names(env.enabledToolsets) } : { distribution };
  resolve({ ...choice, disabled });
}

/** Somebody else's environment may bring toolsets of its own, which are known only when it is opened. */
function mayHaveToolsets(environment: string | null): boolean {
  return environment !== null && !isBuiltin(environment) && findAnnounced(environment) === null;
}

function isUnlikeAll(name: string): boolean {
  try {
    resolve({ enabled: [name] });
    return false;
  } catch (error) {
    return HermesError.isInstance(error) && error.details?.nearest === null;
  }
}

function resolve(choice: ToolsetChoice): void {
  const toolsets = [terminalToolset(), fileToolset(), todoToolset()];
  const catalog = { toolsets: new Map(toolsets.map((one) => [one.name, one])), includes: {} };
  resolveToolsets(catalog, choice, createEffects({}, 0).random);
}
