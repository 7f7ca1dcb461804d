import type { SandboxNeeds } from '@hermes/env-core';
import { HermesError } from '@hermes/protocol';
import { type Capabilities, SandboxError } from '@hermes/sandbox';
import type { TaskFolder } from './types.ts';

/** Processes and threads together. */
const MAX_PROCESSES = 1024;

/**
 * What the task asks of a sandbox with these capabilities. env: resolved. Throws, before anything exists:
 * SandboxError UNSUPPORTED for an image that cannot be had, PATH_UNAVAILABLE for absolute places that cannot be had.
 */
export function sandboxNeeds(
  folder: TaskFolder,
  capabilities: Capabilities,
  env: Readonly<Record<string, string>>,
): SandboxNeeds {
  if (folder.unsupported !== null)
    throw new SandboxError(
      'UNSUPPORTED',
      'request',
      `${folder.name} needs ${folder.unsupported}: not supported yet, with any sandbox`,
    );
  const common = commonNeeds(folder);
  const withImage = capabilities.images === true;
  refuseMissingPaths(folder, capabilities, withImage);
  if (folder.image === null || withImage) {
    const image = folder.image === null ? {} : { image: folder.image };
    return { ...common, ...image, ...workdirOf(folder.workdir, capabilities), env };
  }
  const plain = plainDockerfile(folder);
  const workdir = workdirOf(folder.workdir ?? plain.workdir, capabilities);
  return { ...common, ...workdir, env: { ...plain.env, ...env }, marks: ['image_not_used'] };
}

function commonNeeds(folder: TaskFolder): SandboxNeeds {
  return {
    network: folder.network,
    commands: ['bash', ...folder.commands],
    capabilities: { shell: true, ...folder.needs },
    ...(folder.agentUser === null ? {} : { user: folder.agentUser }),
    resources: resourcesOf(folder),
  };
}

/**
 * What a sandbox cannot enforce is listed on the record (`unmetLimits`), not refused: the format's figures are sizes to ask
 * for. It has none for processes; the bound of ours keeps a fork bomb from this machine.
 */
function resourcesOf(folder: TaskFolder): NonNullable<SandboxNeeds['resources']> {
  const { cpus, memoryBytes, diskBytes, gpus } = folder;
  return {
    pids: MAX_PROCESSES,
    ...(cpus === null ? {} : { cpus }),
    ...(memoryBytes === null ? {} : { memoryBytes }),
    ...(diskBytes === null ? {} : { diskBytes }),
    ...(gpus === null || gpus === 0 ? {} : { gpus: String(gpus) }),
    enforce: 'best_effort',
  };
}

function refuseMissingPaths(
  folder: TaskFolder,
  capabilities: Capabilities,
  withImage: boolean,
): void {
  if (folder.needs.absolutePaths !== true || capabilities.absolutePaths) return;
  if (!withImage && folder.image !== null) plainDockerfile(folder);
  const message = `${folder.name} uses the absolute places of its format (/app, /tests, /logs), which this sandbox does not have; use \`--sandbox bubblewrap\`, or a sandbox provider whose capabilities include images`;
  throw new HermesError('environment', 'PATH_UNAVAILABLE', message);
}

function plainDockerfile(folder: TaskFolder): PlainDockerfile {
  if (folder.dockerfile?.kind === 'simple') return folder.dockerfile;
  throw new SandboxError('UNSUPPORTED', 'request', `${folder.name} ${whyNotPlain(folder)}`);
}

type PlainDockerfile = Extract<TaskFolder['dockerfile'], { kind: 'simple' }>;

function whyNotPlain({ dockerfile, image }: TaskFolder): string {
  const lacks = 'this sandbox has no images; use a provider whose capabilities include images';
  if (dockerfile?.kind !== 'other')
    return `has only the image ${image?.kind === 'ref' ? image.ref : '(unnamed)'}, and ${lacks}`;
  const { reason, fix } = dockerfile;
  return fix === undefined
    ? `has a Dockerfile that cannot be applied without an image (${reason}), and ${lacks}`
    : `has a Dockerfile that cannot be applied as it is: ${reason}: ${fix}`;
}

/** Without absolute places the task runs in whatever folder the sandbox has. */
function workdirOf(
  workdir: string | null,
  capabilities: Capabilities,
): { readonly workdir?: string } {
  return workdir === null || !capabilities.absolutePaths ? {} : { workdir };
}
