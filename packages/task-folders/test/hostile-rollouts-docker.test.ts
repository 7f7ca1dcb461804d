import { isExpected } from '@hermes/vitest-config/services';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  HONEST_ANSWERS,
  HOSTILE_ANSWERS,
  HOSTILE_FLOODS,
  type HostileAnswer,
} from './_hostile-answers.ts';
import { outcomeOf, PLAY_LIMIT_MS, type Played, play } from './_play.ts';
import { openDockerProvider } from './_sandbox.ts';

const ANSWERS = [...HOSTILE_ANSWERS, ...HOSTILE_FLOODS];

/** A task that leaves open on which system it begins is graded as in a sandbox without images. */
const open = (answer: HostileAnswer) => answer;

/** Where the agent may have installed what is tested, the verifier works in its root. */
function bound(answer: HostileAnswer): HostileAnswer {
  const toml = `${answer.task?.['task.toml'] ?? ''}\n[metadata]\ntests_system = true\n`;
  return { ...answer, task: { ...answer.task, 'task.toml': toml } };
}

describe.runIf(isExpected('docker')).each([
  ['a root of its own', open, 'outcomeWithoutDiskLimit'],
  ['the root of the agent', bound, 'outcomeInSharedRoot'],
] as const)('a hostile rollout in docker, graded in %s', (_, taskOf, otherwise) => {
  let played: Played;
  beforeAll(async () => {
    const provider = await openDockerProvider();
    played = await play([...HONEST_ANSWERS, ...ANSWERS].map(taskOf), provider);
  }, PLAY_LIMIT_MS + 30_000);

  it.each(ANSWERS)('comes to what is known of it: $name', (answer) => {
    const { outcome = '0', outcomeWithoutDiskLimit } = answer;
    const expected = answer[otherwise] ?? outcomeWithoutDiskLimit ?? outcome;
    const record = played.records.find(({ identity }) => identity.itemId === answer.name);
    expect(expected.split(' or '), JSON.stringify(record, null, 1)).toContain(outcomeOf(record));
  });

  it('leaves the trials before and after it alone', () => {
    const honest = played.records.filter(({ identity }) => identity.itemId.includes('honest'));
    expect(honest.map(outcomeOf)).toEqual(['1', '1']);
  });
});

describe.runIf(isExpected('docker'))('a task with a limit of its disk, in docker', () => {
  it('costs the rollout its sandbox when that takes more, and a file with holes takes what is in it', async () => {
    const task = { 'task.toml': '[environment]\nstorage_mb = 16\n' };
    const fill = 'head -c 64M /dev/zero > fill; sleep 9';
    const { records } = await play(
      [
        { name: 'full', commands: [fill, 'sleep 9'], task },
        {
          name: 'holes',
          commands: ['echo hello > out.txt; truncate -s 100M holes; sleep 9'],
          task,
        },
      ],
      await openDockerProvider(),
    );
    const outcomes = records.map((record) => `${record.identity.itemId}: ${outcomeOf(record)}`);
    expect(outcomes.sort()).toEqual(['full: sandbox_lost', 'holes: 1']);
    expect(JSON.stringify(records)).toContain('its files take 64 MiB of the 16 MiB it may');
  }, 60_000);
});
