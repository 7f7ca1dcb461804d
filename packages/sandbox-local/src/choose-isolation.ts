import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { PreflightReport } from '@hermes/sandbox';
import type { Launcher, SystemFolders } from '@hermes/sandbox/host';
import { bubblewrapArguments } from './bubblewrap-arguments.ts';
import type { ResolvedLocalSettings } from './settings.ts';

/** Which isolation is used, and what to say about it. */
export type Choice = Launcher['findings'] & Readonly<{ isolation: 'bubblewrap' | 'none' }>;

type Problem = PreflightReport['problems'][number];

const run = promisify(execFile);
const PROBE_TIMEOUT_MS = 10_000;
const NAMESPACE_FIX =
  'allow user namespaces (sysctl user.max_user_namespaces, kernel.unprivileged_userns_clone, kernel.apparmor_restrict_unprivileged_userns); in a container start it with --security-opt seccomp=unconfined --security-opt systempaths=unconfined';

/** Tries bubblewrap for real, unless it is not wanted, and settles the isolation. */
export async function chooseIsolation(
  { isolation: wanted, bubblewrapPath }: ResolvedLocalSettings,
  system: SystemFolders,
): Promise<Choice> {
  if (wanted === 'none') return choose('none', 'isolation none: asked for by name');
  const problem = await tryBubblewrap(bubblewrapPath, system);
  if (problem === null) return choose('bubblewrap', 'isolation bubblewrap: it works here');
  const { message, fix } = problem;
  return wanted === 'auto'
    ? choose('none', `isolation none: ${message}; to have isolation, ${fix}`)
    : choose('bubblewrap', `isolation bubblewrap is not available: ${message}`, [problem]);
}

function choose(
  isolation: Choice['isolation'],
  summary: string,
  problems: readonly Problem[] = [],
): Choice {
  return { isolation, summary, problems };
}

async function tryBubblewrap(path: string, system: SystemFolders): Promise<Problem | null> {
  const [workdir, stateDir] = ['/', '/run/hermes'];
  const view = { rootFolder: '/', workdir, writablePlaces: [stateDir], stateDir, env: {}, system };
  const words = bubblewrapArguments(view, { resources: { diskBytes: 1 << 20 } });
  try {
    await run(path, [...words, '--', 'sh', '-c', ':'], { timeout: PROBE_TIMEOUT_MS });
    return null;
  } catch (error) {
    return toProblem(path, error as NodeJS.ErrnoException & { stderr?: string });
  }
}

function toProblem(path: string, error: NodeJS.ErrnoException & { stderr?: string }): Problem {
  if (error.code === 'ENOENT') {
    const message = `bubblewrap (${path}) is not installed`;
    const fix = 'install it: apt-get install bubblewrap';
    return { code: 'BUBBLEWRAP_MISSING', message, fix };
  }
  const said = (error.stderr ?? '').trim().split('\n')[0] || error.message;
  const message = `bubblewrap is installed but cannot make a sandbox here (${said})`;
  return { code: 'NAMESPACES_FORBIDDEN', message, fix: NAMESPACE_FIX };
}
