import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { type PreflightReport, SandboxError, supervisorFiles } from '@hermes/sandbox';
import { bubblewrapArguments, type SystemFolders } from './bubblewrap.ts';
import { type CgroupHost, probeCgroups } from './probe-cgroups.ts';
import { openRootDir } from './sandbox-record.ts';
import type { ResolvedLocalSettings } from './settings.ts';
import { findSystemFolders } from './system-folders.ts';

/** What this machine offers, found out once by trying it. */
export type LocalHost = Readonly<{
  isolation: 'bubblewrap' | 'none';
  /** One line: which isolation was chosen and why. */
  choice: string;
  /** Why sandboxes cannot be made here; empty when they can. */
  problems: PreflightReport['problems'];
  rootDir: string;
  bubblewrapPath: string;
  system: SystemFolders;
  /** Host path of the Go supervisor. */
  program: string | null;
  /** Host path of the `sh` supervisor. */
  fallback: string;
  cgroups: CgroupHost | null;
  bootId: string;
}>;

type Problem = PreflightReport['problems'][number];

const run = promisify(execFile);
const PROBE_TIMEOUT_MS = 10_000;
const NAMESPACE_FIX =
  'allow user namespaces (sysctl user.max_user_namespaces, kernel.unprivileged_userns_clone, kernel.apparmor_restrict_unprivileged_userns); in a container start it with --security-opt seccomp=unconfined --security-opt systempaths=unconfined';

/** Probes bubblewrap and the control groups for real, and settles the isolation. Throws CONFIG for a bad rootDir. */
export async function probeHost(settings: ResolvedLocalSettings): Promise<LocalHost> {
  refuseMissing(settings.systemPaths);
  const system = findSystemFolders(settings.systemPaths);
  const rootDir = await openRootDir(settings.rootDir);
  const ownGroups = await readFile('/proc/self/cgroup', 'utf8').catch(() => '');
  const [isolation, cgroups, bootId] = await Promise.all([
    chooseIsolation(settings, system),
    probeCgroups(settings.cgroupRoot, ownGroups, `hermes-probe-${randomUUID()}`),
    readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
  ]);
  const { binary, fallback } = supervisorFiles();
  const program = settings.supervisor === 'sh' ? null : binary(process.arch);
  const { bubblewrapPath } = settings;
  return {
    ...isolation,
    rootDir,
    bubblewrapPath,
    system,
    program,
    fallback,
    cgroups,
    bootId: bootId.trim(),
  };
}

function refuseMissing(systemPaths: readonly string[]): void {
  const missing = systemPaths.find((path) => !existsSync(path));
  if (missing === undefined) return;
  const message = `sandbox local: setting 'systemPaths': ${missing} does not exist on this machine`;
  throw new SandboxError('CONFIG', 'provider', message);
}

type Choice = Pick<LocalHost, 'isolation' | 'choice' | 'problems'>;

async function chooseIsolation(
  settings: ResolvedLocalSettings,
  system: SystemFolders,
): Promise<Choice> {
  if (settings.isolation === 'none') {
    return { isolation: 'none', choice: 'isolation none: asked for by name', problems: [] };
  }
  const problem = await tryBubblewrap(settings.bubblewrapPath, system);
  if (problem === null)
    return { isolation: 'bubblewrap', choice: 'isolation bubblewrap: it works here', problems: [] };
  const choice = `isolation none: ${problem.message}; to have isolation, ${problem.fix}`;
  return settings.isolation === 'auto'
    ? { isolation: 'none', choice, problems: [] }
    : {
        isolation: 'bubblewrap',
        choice: `isolation bubblewrap is not available: ${problem.message}`,
        problems: [problem],
      };
}

async function tryBubblewrap(
  bubblewrapPath: string,
  system: SystemFolders,
): Promise<Problem | null> {
  const [command, ...words] = bubblewrapArguments({
    ...{
      bubblewrapPath,
      rootFolder: '/',
      diskBytes: 1 << 20,
      shmBytes: undefined,
      isNetworkOpen: false,
    },
    ...{
      isRootReadOnly: false,
      workdir: '/',
      writablePlaces: ['/run/hermes'],
      stateDir: '/run/hermes',
      env: {},
      system,
      mounts: [],
    },
  });
  try {
    await run(
      command,
      [...words.filter((word) => word !== '--json-status-fd' && word !== '3'), 'sh', '-c', ':'],
      { timeout: PROBE_TIMEOUT_MS },
    );
    return null;
  } catch (error) {
    return toProblem(bubblewrapPath, error as NodeJS.ErrnoException & { stderr?: string });
  }
}

function toProblem(path: string, error: NodeJS.ErrnoException & { stderr?: string }): Problem {
  if (error.code === 'ENOENT') {
    return {
      code: 'BUBBLEWRAP_MISSING',
      message: `bubblewrap (${path}) is not installed`,
      fix: 'install it: apt-get install bubblewrap',
    };
  }
  const said = (error.stderr ?? '').trim().split('\n')[0] || error.message;
  return {
    code: 'NAMESPACES_FORBIDDEN',
    message: `bubblewrap is installed but cannot make a sandbox here (${said})`,
    fix: NAMESPACE_FIX,
  };
}
