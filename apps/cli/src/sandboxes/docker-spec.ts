import { posix } from 'node:path';
import type { JsonValue } from '@hermes/protocol';
import { HermesError } from '@hermes/protocol';
import type { Mount, SandboxSpec } from '@hermes/sandbox';
import type { CliContext } from '../context.ts';
import { type GivenKeys, type ProviderKey, settingsOf } from './provider-keys.ts';

/** What a configuration says of every sandbox of a run. */
export type SpecDefaults = Pick<SandboxSpec, 'env' | 'mounts'>;

/** Keys of the original about what of this machine containers get. */
export const dockerSpecKeys: readonly ProviderKey[] = [
  {
    key: 'docker_forward_env',
    variable: 'TERMINAL_DOCKER_FORWARD_ENV',
    setting: 'forwardEnv',
    kind: 'list',
  },
  { key: 'docker_volumes', variable: 'TERMINAL_DOCKER_VOLUMES', setting: 'volumes', kind: 'list' },
  {
    key: 'docker_mount_cwd_to_workspace',
    variable: 'TERMINAL_DOCKER_MOUNT_CWD_TO_WORKSPACE',
    setting: 'mountCwd',
    kind: 'flag',
  },
];

/** Nothing of this machine is in a container unless one of these keys says so. Throws CONFIG for what is no volume. */
export function dockerSpec(given: GivenKeys, { workingDirectory }: CliContext): SpecDefaults {
  const { forwardEnv = [], volumes = [], mountCwd } = settingsOf(dockerSpecKeys, null, given);
  const env = forwarded(words(forwardEnv), given.variables);
  const cwd = { source: workingDirectory, target: '/workspace', readOnly: false };
  const mounts = [...words(volumes).map(mountOf), ...(mountCwd === true ? [cwd] : [])];
  return {
    ...(Object.keys(env).length === 0 ? {} : { env }),
    ...(mounts.length === 0 ? {} : { mounts }),
  };
}

/** What is not set here is not set there. */
function forwarded(
  names: readonly string[],
  variables: GivenKeys['variables'],
): Readonly<Record<string, string>> {
  const entries = names.flatMap((name) => {
    const value = variables[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(entries);
}

/** `SOURCE:TARGET`, perhaps with `:ro` or `:rw`, as docker writes it. */
function mountOf(text: string): Mount {
  const [source = '', target = '', mode = 'rw', ...rest] = text.split(':');
  const isMode = mode === 'ro' || mode === 'rw';
  if (posix.isAbsolute(source) && posix.isAbsolute(target) && isMode && rest.length === 0)
    return { source, target, readOnly: mode === 'ro' };
  const message = `docker_volumes: ${JSON.stringify(text)} is no /SOURCE:/TARGET, with :ro after it or not`;
  throw new HermesError('config', 'CONFIG', message);
}

function words(value: JsonValue): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [String(value)];
}
