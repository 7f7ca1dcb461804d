import { posix } from 'node:path';
import type { Sandbox } from '@hermes/sandbox';
import { Refusal } from '../http/refusal.ts';
import { WORKSPACE } from '../slots/lease.ts';

/** A place in the workspace. */
export type Place = Readonly<{
  /** As the sandbox's files take it, links followed. */
  path: string;
  /** Below the workspace, as callers know it. */
  shown: string;
}>;

const LINK_MS = 10_000;

/**
 * Where a path leads, links included; it need not be there. Throws a Refusal (403) for what lies outside. Files are opened by the sandbox itself,
 * so a link that is changed in between leads to nothing but the slot's own.
 */
export async function insideWorkspace(sandbox: Sandbox, path: string): Promise<Place> {
  const { workdir } = sandbox.info;
  const asked = posix.resolve(workdir, fromWorkspace(path, workdir));
  if (path.includes('\0') || !isBelow(asked, workdir)) throw outside(path);
  const real = await followed(sandbox, [workdir, asked]);
  const [realWorkdir = workdir, realPath = asked] = real;
  if (!isBelow(realPath, realWorkdir)) throw outside(path);
  return { path: realPath, shown: posix.relative(workdir, asked) || '.' };
}

/** `/workspace` is the workspace in every mode. */
function fromWorkspace(path: string, workdir: string): string {
  if (path !== WORKSPACE && !path.startsWith(`${WORKSPACE}/`)) return path;
  return posix.join(workdir, posix.relative(WORKSPACE, posix.normalize(path)));
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}

/** What is not there is followed as far as it is. The dot keeps a newline at the end of a name. */
const FOLLOW = `
newline='
'
for path; do
  rest=
  until real=$(readlink -f -- "$path" && echo .); do
    if [ "$path" = / ]; then exit 1; fi
    rest="/\${path##*/}$rest"
    path="\${path%/*}"
    path="\${path:-/}"
  done
  printf '%s\\0' "\${real%"$newline."}$rest"
done`;

/** Without a shell there are no links to follow. */
async function followed(sandbox: Sandbox, paths: readonly string[]): Promise<readonly string[]> {
  if (!sandbox.capabilities.shell) return paths;
  const result = await sandbox.exec({
    command: { argv: ['sh', '-c', FOLLOW, 'sh', ...paths] },
    timeoutMs: LINK_MS,
  });
  if (result.status !== 'exited' || result.exitCode !== 0)
    throw new Error(`links could not be followed (readlink): ${result.stderr.text().trim()}`);
  return result.stdout.text().split('\0').slice(0, -1);
}

function outside(path: string): Refusal {
  return new Refusal(403, `${path} is outside the workspace`);
}
