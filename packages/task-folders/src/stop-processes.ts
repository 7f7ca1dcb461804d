import type { Sandbox } from '@hermes/sandbox';
import type { ToolContext } from '@hermes/tools';
import { rootWherePossible } from './verifier-places.ts';

/**
 * Ends what the agent left running, so that nothing of it writes while the verifier works. null = done; else why not.
 * Only for tasks that ask for it: others may have their services tested.
 */
export async function stopProcesses(tools: ToolContext, sandbox: Sandbox): Promise<string | null> {
  const result = await tools.exec(STOP, { cwd: '/', ...rootWherePossible(sandbox) });
  if (result.status === 'exited' && result.exitCode === 0) return null;
  return `processes that the agent left could not be ended: ${result.stderr.text().trim() || result.status}`;
}

/** The parent of this shell is the sandbox's supervisor: all that runs is below it. Stopped first, so that none is born meanwhile. */
const STOP = `
others() {
  cat /proc/[0-9]*/status 2>/dev/null | awk -v root="$PPID" -v self="$$" '
    /^State:/ { dead = ($2 == "Z" || $2 == "X") }
    /^Pid:/ { pid = $2 }
    /^PPid:/ { parent[pid] = $2; gone[pid] = dead }
    END {
      for (one in parent) {
        for (at = one; at != root && (at in parent) && at != self; at = parent[at]);
        if (at == root && one != root && !gone[one]) print one
      }
    }'
}
round=0
while left=$(others) && [ -n "$left" ]; do
  round=$((round + 1))
  if [ "$round" -gt 50 ]; then echo $left >&2; exit 1; fi
  kill -STOP $left 2>/dev/null
  if [ "$(others)" = "$left" ]; then kill -KILL $left 2>/dev/null; fi
done
exit 0
`;
