import { isAbsolute, join, normalize } from 'node:path';
import { type Mount, SandboxError, type SandboxSpec } from '@hermes/sandbox';
import { bubblewrapArguments } from './bubblewrap.ts';
import { MARK_VARIABLE } from './kill-sandbox.ts';
import type { LocalHost } from './probe-host.ts';
import type { SandboxRecord } from './sandbox-record.ts';

type Argv = readonly [string, ...string[]];

/** Where things lie in one sandbox, as seen by its own processes, and how a program gets in. */
export type Layout = Readonly<{
  workdir: string;
  /** The supervisor's private folder, made by the supervisor itself. */
  stateDir: string;
  /** The Go program, or the script, whichever is to run. */
  supervisorPath?: string;
  fallbackPath?: string;
  env: Readonly<Record<string, string>>;
  /** Host folders to make before the start. */
  hostFolders: readonly string[];
  /** The host's command that starts the supervisor; with bubblewrap it has a status pipe on descriptor 3. */
  start: (argv: Argv) => Argv;
  /** The host's command that joins the running supervisor. */
  join: (argv: Argv, record: SandboxRecord) => Argv;
}>;

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const PROGRAM_INSIDE = '/run/hermes-supervisor';
const FALLBACK_INSIDE = '/run/hermes-supervisor.sh';
const STATE_INSIDE = '/run/hermes';
const PRIVATE_PLACES = ['/app', '/tests', '/logs', '/solution', '/tmp', '/var/tmp'];

/** Lays out a sandbox in its host folder. Throws UNSUPPORTED for a working directory that cannot be had. */
export function layOut(
  host: LocalHost,
  folder: string,
  id: string,
  spec: Partial<SandboxSpec>,
): Layout {
  return host.isolation === 'bubblewrap'
    ? isolated(host, folder, id, spec)
    : plain(host, folder, id, spec);
}

function plain(host: LocalHost, folder: string, id: string, spec: Partial<SandboxSpec>): Layout {
  const stateDir = join(folder, 'state');
  const workdir = join(folder, 'workspace', relativeWorkdir(spec.workdir ?? '.'));
  const env = {
    PATH,
    HOME: join(folder, 'home'),
    TMPDIR: join(folder, 'tmp'),
    [MARK_VARIABLE]: id,
  };
  const asItIs = (argv: Argv) => argv;
  return {
    workdir,
    stateDir,
    ...(host.program === null ? { fallbackPath: host.fallback } : { supervisorPath: host.program }),
    env,
    hostFolders: [workdir, env.HOME, env.TMPDIR],
    start: asItIs,
    join: asItIs,
  };
}

function isolated(host: LocalHost, folder: string, id: string, spec: Partial<SandboxSpec>): Layout {
  if (spec.readonlyRoot === true && spec.resources?.diskBytes !== undefined) {
    throw unsupported('readonlyRoot and resources.diskBytes exclude each other');
  }
  const rootFolder = join(folder, 'root');
  const home = process.getuid?.() === 0 ? '/root' : '/home/user';
  const workdir = absoluteWorkdir(spec.workdir ?? '/workspace');
  const env = { PATH, HOME: home, TMPDIR: '/tmp', [MARK_VARIABLE]: id };
  const writablePlaces = [...new Set([...PRIVATE_PLACES, home, workdir, STATE_INSIDE])];
  const supervisor =
    host.program === null
      ? readOnlyMount(host.fallback, FALLBACK_INSIDE)
      : readOnlyMount(host.program, PROGRAM_INSIDE);
  const prefix = bubblewrapArguments({
    bubblewrapPath: host.bubblewrapPath,
    rootFolder,
    diskBytes: spec.resources?.diskBytes,
    shmBytes: spec.resources?.shmBytes,
    isNetworkOpen: spec.network?.mode === 'open',
    isRootReadOnly: spec.readonlyRoot ?? false,
    workdir,
    writablePlaces,
    stateDir: STATE_INSIDE,
    env,
    system: host.system,
    mounts: [...(spec.mounts ?? []), supervisor],
  });
  return {
    workdir,
    stateDir: STATE_INSIDE,
    ...(host.program === null
      ? { fallbackPath: FALLBACK_INSIDE }
      : { supervisorPath: PROGRAM_INSIDE }),
    env,
    hostFolders: [rootFolder, ...writablePlaces.map((place) => join(rootFolder, place))],
    start: (argv) => [...prefix, ...argv],
    join: (argv, record) => joinFromOutside(argv, host, record),
  };
}

/** The same program, run by the host against the sandbox's own file system, which its first process holds open. */
function joinFromOutside(argv: Argv, host: LocalHost, record: SandboxRecord): Argv {
  if (argv[0] !== PROGRAM_INSIDE || host.program === null) {
    throw unsupported(`only the Go supervisor can be joined, not ${argv[0]}`);
  }
  const [, ...rest] = withStateDir(argv, `/proc/${record.init?.pid}/root${STATE_INSIDE}`);
  return [host.program, ...rest];
}

function withStateDir([program, ...words]: Argv, stateDir: string): Argv {
  return [
    program,
    ...words.map((word, index) => (words[index - 1] === '--state' ? stateDir : word)),
  ];
}

function readOnlyMount(source: string, target: string): Mount {
  return { source, target, readOnly: true };
}

function absoluteWorkdir(workdir: string): string {
  const path = normalize(workdir);
  const isTaken = /^\/(usr|etc|proc|dev|bin|sbin|lib\w*|run\/hermes[^/]*)?(\/|$)/.test(path);
  if (isAbsolute(path) && !isTaken) return path.replace(/\/$/, '');
  throw unsupported(`workdir ${workdir} must be an absolute path outside the system folders`);
}

function relativeWorkdir(workdir: string): string {
  const path = normalize(workdir);
  if (!isAbsolute(path) && !path.startsWith('..')) return path;
  throw unsupported(
    `workdir ${workdir} must be relative without isolation: absolute places are the host's own`,
  );
}

/** The error for something that sandboxes on this machine cannot do. */
export function unsupported(what: string): SandboxError {
  return new SandboxError('UNSUPPORTED', 'request', `sandbox local: ${what}`);
}
