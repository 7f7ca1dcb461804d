import type { Sandbox } from '@hermes/sandbox';
import type { ToolContext } from '@hermes/tools';
import { rootWherePossible } from './verifier-places.ts';

/** Ends all that runs in the sandbox beside its supervisor. null = done; else why not. */
export async function stopProcesses(tools: ToolContext, sandbox: Sandbox): Promise<string | null> {
  const result = await stop(tools, sandbox, {});
  return result.exitCode === 0 ? null : `processes could not be ended: ${result.said}`;
}

/**
 * Ends what the tests left running, when they are over. Before that the reward files are taken away for a moment: what writes
 * them anew is no verifier, but an answer that the tests ran. null = the reward is that of the tests; else why not.
 */
export async function settleVerifier(
  tools: ToolContext,
  sandbox: Sandbox,
  verifierDir: string,
): Promise<string | null> {
  const result = await stop(tools, sandbox, { HERMES_REWARDS: verifierDir });
  if (result.exitCode === 0) return null;
  return result.exitCode === FORGED
    ? 'something that the tests began went on to write the reward when they had ended'
    : `processes that the tests began could not be ended: ${result.said}`;
}

type Stopped = Readonly<{ exitCode: number | null; said: string }>;

async function stop(
  tools: ToolContext,
  sandbox: Sandbox,
  env: Readonly<Record<string, string>>,
): Promise<Stopped> {
  const result = await tools.exec(STOP, { cwd: '/', env, ...rootWherePossible(sandbox) });
  const exitCode = result.status === 'exited' ? result.exitCode : null;
  return { exitCode, said: result.stderr.text().trim() || result.status };
}

const FORGED = 3;

/**
 * Spared are the sessions of this shell and of its parent, which is the supervisor or a helper of it: every command has a
 * session of its own, and none can get into another. Ended is what descends from the supervisor, what carries the sandbox's
 * mark, what is in its control group, and what descends from those. All are stopped first, so that none is born meanwhile.
 */
const STOP = `
marked() {
  [ -n "$HERMES_SANDBOX" ] || return
  grep -lazx "HERMES_SANDBOX=$HERMES_SANDBOX" /proc/[0-9]*/environ 2>/dev/null
  grep -l "/$HERMES_SANDBOX[.]" /proc/[0-9]*/cgroup 2>/dev/null
}
others() {
  { marked | awk -F/ '{ print "marked", $3 }'; cat /proc/[0-9]*/status 2>/dev/null; } | awk -v up="$PPID" -v self="$$" '
    $1 == "marked" { marked[$2] = 1 }
    /^State:/ { dead = ($2 == "Z" || $2 == "X") }
    /^Pid:/ { pid = $2 }
    /^PPid:/ { parent[pid] = $2; gone[pid] = dead }
    /^NSsid:/ { session[pid] = $2 }
    END {
      top = up
      known = session[up] != "" && session[up] != session[self]
      while (known && (parent[top] in parent) && session[parent[top]] == session[up]) top = parent[top]
      for (one in parent) {
        if (gone[one] || one == top) continue
        if (known && (session[one] == session[up] || session[one] == session[self])) continue
        for (at = one; at != top && at != self && !(at in marked) && (at in parent); at = parent[at]);
        if (at != self && (at == top || at in marked)) print one
      }
    }'
}
there() { [ -e "$HERMES_REWARDS/reward.txt" ] || [ -e "$HERMES_REWARDS/reward.json" ]; }
verdict=0 kept=
if [ -n "$HERMES_REWARDS" ] && there && [ -n "$(others)" ] && kept=$(mktemp -d); then
  for try in 1 2 3; do mv -f "$HERMES_REWARDS"/reward.* "$kept" 2>/dev/null; sleep 0.1; done
  if there; then verdict=${FORGED}; fi
fi
round=0
while left=$(others) && [ -n "$left" ]; do
  round=$((round + 1))
  if [ "$round" -gt 50 ]; then echo $left >&2; exit 1; fi
  kill -STOP $left 2>/dev/null
  if [ "$(others)" = "$left" ]; then kill -KILL $left 2>/dev/null; fi
done
[ -z "$kept" ] || mv -f "$kept"/reward.* "$HERMES_REWARDS"
exit $verdict
`;
