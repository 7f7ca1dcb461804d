import type { Sandbox } from '@hermes/sandbox';
import type { ToolContext } from '@hermes/tools';

/** Where the verifier works. remove: a folder to take away afterwards; null = the sandbox's own places. */
export type VerifierPlaces = Readonly<{
  testsDir: string;
  verifierDir: string;
  workdir: string;
  remove: string | null;
}>;

/** Fresh, empty places, or why they could not be had. */
export type PreparedPlaces =
  | Readonly<{ ok: true; places: VerifierPlaces }>
  | Readonly<{ ok: false; message: string }>;

/**
 * Makes `/tests` and `/logs/verifier` anew, whatever the agent left there: files, links, pipes, folders without rights.
 * Where a sandbox has no absolute paths of its own, both are new folders with names nobody could know before.
 */
export async function prepareVerifierPlaces(
  tools: ToolContext,
  sandbox: Sandbox,
): Promise<PreparedPlaces> {
  const { absolutePaths } = sandbox.capabilities;
  const { workdir } = sandbox.info;
  const result = await tools.exec(absolutePaths ? WIPE : MAKE_RANDOM, {
    cwd: '/',
    env: { HERMES_WORKDIR: workdir },
    ...rootWherePossible(sandbox),
  });
  const output = result.stdout.text().trim();
  if (result.status !== 'exited' || result.exitCode !== 0)
    return {
      ok: false,
      message:
        `the verifier's folders could not be made fresh: ${output || result.status} ${result.stderr.text().trim()}`.trim(),
    };
  const base = absolutePaths ? null : output;
  const testsDir = base === null ? '/tests' : `${base}/tests`;
  const verifierDir = base === null ? '/logs/verifier' : `${base}/verifier`;
  return { ok: true, places: { testsDir, verifierDir, workdir, remove: base } };
}

/** Takes away what `prepareVerifierPlaces` made beside the sandbox's own places. */
export async function removeVerifierPlaces(
  tools: ToolContext,
  places: VerifierPlaces,
): Promise<void> {
  if (places.remove !== null) await tools.remove(places.remove);
}

/** The agent's files may belong to anyone: with users, root removes them. */
export function rootWherePossible(sandbox: Sandbox): { readonly user?: string } {
  const { users, root } = sandbox.capabilities;
  return users && root ? { user: 'root' } : {};
}

/** An agent that made its working directory something else has no answer there; that is no fault of the verifier. */
const MAKE_WORKDIR = `
[ -d "$HERMES_WORKDIR" ] || rm -f -- "$HERMES_WORKDIR" 2>/dev/null
mkdir -p -- "$HERMES_WORKDIR" 2>/dev/null
chmod u+rwx -- "$HERMES_WORKDIR" 2>/dev/null
`;

const WIPE = `
fresh() {
  parent=$(dirname "$1")
  if [ -L "$parent" ]; then rm -f -- "$parent"; fi
  if [ -d "$1" ] && [ ! -L "$1" ]; then
    if command -v chattr >/dev/null 2>&1; then chattr -R -i -a -- "$1" >/dev/null 2>&1; fi
    chmod -R u+rwX -- "$1" 2>/dev/null
    rm -rf -- "$1"/..?* "$1"/.[!.]* "$1"/* 2>/dev/null
  else
    rm -f -- "$1"
  fi
  rmdir -- "$1" 2>/dev/null
  mkdir -p -- "$1"
  if [ -L "$1" ] || [ ! -d "$1" ] || [ -n "$(ls -A -- "$1")" ]; then
    echo "$1 holds what cannot be removed"
    exit 1
  fi
  chmod 777 -- "$1"
}
${MAKE_WORKDIR}
fresh /tests
fresh /logs/verifier
`;

const MAKE_RANDOM = `
${MAKE_WORKDIR}
base=$(mktemp -d) || exit 1
mkdir "$base/tests" "$base/verifier" || exit 1
printf '%s\\n' "$base"
`;
