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

/** The task asks for a verifier with a root of its own, which gets the working directory alone. */
function separated(answer: HostileAnswer): HostileAnswer {
  const toml = answer.task?.['task.toml'] ?? '';
  const lines = ['artifacts = ["/app"]', toml, '[verifier]', 'environment_mode = "separate"', ''];
  return { ...answer, task: { ...answer.task, 'task.toml': lines.join('\n') } };
}

/** As it is where images are run: the agent may have installed what is tested, so the verifier works in its root. */
const shared = (answer: HostileAnswer) => answer;

describe.runIf(isExpected('docker')).each([
  ['a root of its own', separated, 'outcomeWithoutDiskLimit'],
  ['the root of the agent', shared, 'outcomeInSharedRoot'],
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
    expect(outcomeOf(record), JSON.stringify(record, null, 1)).toBe(expected);
  });

  it('leaves the trials before and after it alone', () => {
    const honest = played.records.filter(({ identity }) => identity.itemId.includes('honest'));
    expect(honest.map(outcomeOf)).toEqual(['1', '1']);
  });
});
