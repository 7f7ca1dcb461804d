import { SandboxError } from '@hermes/sandbox';
import { z } from 'zod';

const schema = z.strictObject({
  isolation: z.enum(['auto', 'bubblewrap', 'none']).default('auto'),
  rootDir: z.string().min(1).optional(),
  systemPaths: z.array(z.string().startsWith('/')).default([]),
  supervisor: z.enum(['auto', 'go', 'sh']).default('auto'),
  cgroupRoot: z.string().startsWith('/').default('/sys/fs/cgroup'),
  bubblewrapPath: z.string().min(1).default('bwrap'),
});

/** What a user may set for the provider `local`. */
export type LocalSandboxSettings = Readonly<{
  /** `auto` (default): bubblewrap where it works here, else none. A named isolation that does not work is refused. */
  isolation?: 'auto' | 'bubblewrap' | 'none';
  /** Folder that holds the sandboxes. Default: `hermes-sandboxes-<uid>` in the system's temporary folder. It must belong to the caller alone. */
  rootDir?: string;
  /** Further absolute host paths that a bubblewrap sandbox sees read-only, for example `/opt/tools`. Default: none. */
  systemPaths?: readonly string[];
  /** The program inside the sandbox: the Go program, or the slower `sh` script. Default `auto`: Go where there is a build of it. */
  supervisor?: 'auto' | 'go' | 'sh';
  /** Where the control groups are mounted. Default `/sys/fs/cgroup`. */
  cgroupRoot?: string;
  /** Name or path of bubblewrap. Default `bwrap`. */
  bubblewrapPath?: string;
}>;

/** Settings with every default filled in. */
export type ResolvedLocalSettings = Required<Omit<LocalSandboxSettings, 'rootDir'>> &
  Readonly<{ rootDir: string | undefined }>;

/** Checks raw settings strictly. Throws SandboxError CONFIG that names the key, and the nearest known one. */
export function parseLocalSettings(raw: unknown): ResolvedLocalSettings {
  const parsed = schema.safeParse(raw ?? {});
  if (parsed.success) return { ...parsed.data, rootDir: parsed.data.rootDir };
  const issue = parsed.error.issues[0];
  throw new SandboxError('CONFIG', 'provider', `sandbox local: ${describeIssue(issue)}`);
}

function describeIssue(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code !== 'unrecognized_keys') {
    const key = issue?.path.join('.') ?? '';
    return key === '' ? 'settings must be an object' : `setting '${key}': ${issue?.message}`;
  }
  const known = Object.keys(schema.shape);
  const unknown = issue.keys[0] ?? '';
  return `unknown setting '${unknown}'. Did you mean '${nearest(unknown, known)}'? Known: ${known.join(', ')}`;
}

function nearest(word: string, candidates: readonly string[]): string {
  const distances = candidates.map((candidate) => ({
    candidate,
    distance: editDistance(word.toLowerCase(), candidate.toLowerCase()),
  }));
  return distances.sort((a, b) => a.distance - b.distance)[0]?.candidate ?? '';
}

function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [i, leftChar] of [...left].entries()) {
    const next = [i + 1];
    for (const [j, rightChar] of [...right].entries()) {
      const substitute = (row[j] ?? 0) + (leftChar === rightChar ? 0 : 1);
      next.push(Math.min(substitute, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
