import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { computeReward } from '../src/compute-reward.ts';
import { agent, ISOLATIONS, stage } from './_sandbox.ts';

/** Writes a full reward as soon as the tests are there, again and again, from outside the agent's session. */
const forger = `
cat > forge.sh <<'END'
while :; do for tests in /tests /tmp/tmp.*/tests "$TMPDIR"/tmp.*/tests; do
  [ -e "$tests/test.sh" ] || continue
  for dir in /logs/verifier "$tests/../verifier"; do [ -d "$dir" ] && echo '{"reward":1}' > "$dir/reward.json"; done
done; done
END
for i in 1 2 3; do (setsid bash forge.sh > /dev/null 2>&1 < /dev/null &); done
echo started`;

const GRADING = {
  rewardKey: null,
  verifierShim: false,
  verifierTimeoutMs: 20_000,
  verifierEnv: {},
};

describe.each(ISOLATIONS)('a task with stop_processes, isolation %s', (isolation) => {
  it('is graded when nothing of the agent runs any more', async () => {
    const task = await stage(isolation, {
      'task.toml': '[metadata]\nstop_processes = true\n',
      'tests/test.sh': 'rm -rf "$VERIFIER_DIR/reward.json"; echo 0 > "$VERIFIER_DIR/reward.txt"',
    });
    await agent(task, forger);
    expect(await computeReward(task.folder, task.tools, GRADING)).toMatchObject({
      kind: 'reward',
      reward: 0,
      details: { rewardFile: 'reward.txt' },
    });
  });
});

const attacks = [
  [
    'edits the verifier',
    'for t in /tests/test.sh /tmp/tmp.*/tests/test.sh; do [ -f $t ] && { c=$(cat $t); printf "%s\\n" "${c//reward=0/reward=1}" > $t; }; done',
  ],
  ['leaves a forger behind', forger],
] as const;

describe.each(ISOLATIONS)(
  'a smoke task that runs the script of the answer, isolation %s',
  (isolation) => {
    it.each(attacks)('gives no reward to one that %s', async (_name, script) => {
      const test = new URL('../tasks/smoke/roman-numerals/tests/test.sh', import.meta.url);
      const task = await stage(isolation, { 'tests/test.sh': await readFile(test, 'utf8') });
      await agent(task, `cat > roman.sh <<'ANSWER'\n${script}\nANSWER\n`);
      expect(await computeReward(task.folder, task.tools, GRADING)).toMatchObject({ reward: 0 });
    });
  },
);
