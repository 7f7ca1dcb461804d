import { strict as assert } from 'node:assert';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startRunApi } from '@hermes/atropos/testing';
import { createEffects } from '@hermes/env-core';
import type { Random } from '@hermes/protocol';
import type { Proof, ProofOptions } from '../proof.ts';
import { compareSides } from './training/compare-sides.ts';
import { python, runDirectory, serveArgv } from './training/inputs.ts';
import { outliveRunApi } from './training/run-api-dies.ts';
import { type RunningHermes, runHermes } from './training/run-hermes.ts';
import { drain, type Received, type Sizes, startTrainer } from './training/trainer-side.ts';

/** share: of all groups. */
const rounds = [
  { group: 1, batch: 8, share: 0.3 },
  { group: 4, batch: 16, share: 0.5 },
  { group: 16, batch: 32, share: 0.2 },
] as const;
/** For so many groups the environment is killed once, and the trainer restarted. */
const groupsPerFault = 500;
const longestLifeMs = 3_000;

export const serveProof: Proof = {
  name: 'serve',
  claim:
    'An environment feeds the real run-api with groups of 1, 4 and 16, over-long sequences and groups that are dropped among them. ' +
    'It is killed with SIGKILL at random moments and started again, and so is the trainer. ' +
    'Each group that the environment counts as sent is at the trainer once, and no other; every batch has the right shape. ' +
    'When run-api itself is killed, only what waited in its queue is lost.',
  fullCount: 10_000,
  shareCount: 500,
  async run({ seed, count, say }: ProofOptions) {
    const { random } = createEffects({}, seed);
    const total = { groups: 0, batches: 0, dropped: 0, 'sequences cut': 0, faults: 0 };
    for (const { share, ...sizes } of rounds) {
      const wanted = Math.ceil(count * share);
      const ended = await inFolder((folder) => playRound(folder, sizes, wanted, random));
      say(
        `groups of ${sizes.group}: ${ended.sent} sent, ${ended.received.batches} batches, ${ended.dropped} dropped, ${ended.faults} faults`,
      );
      total.groups += ended.sent;
      total.batches += ended.received.batches;
      total.dropped += ended.dropped;
      total['sequences cut'] += ended.received.cutSequences;
      total.faults += ended.faults;
    }
    assert.ok(total.groups >= count, `only ${total.groups} groups`);
    assert.ok(total.dropped > 0 && total['sequences cut'] > 0, 'nothing was dropped or cut');
    const { lost } = await inFolder(outliveRunApi);
    say(`run-api was killed and started again: it took ${lost} groups along`);
    return {
      ...total,
      'groups lost or doubled': 0,
      'groups that a killed run-api took along': lost,
    };
  },
};

/** One run-api, one run directory, as many trainers and environments as faults want. */
async function playRound(folder: string, sizes: Sizes, wanted: number, random: Random) {
  const received: Received = { groups: new Map(), batches: 0, cutSequences: 0 };
  const steps = Math.ceil((wanted * sizes.group) / sizes.batch);
  const faults = Math.max(1, Math.round(wanted / groupsPerFault));
  await using api = await startRunApi(python);
  let environment: RunningHermes | null = null;
  let trainer = startTrainer(api.baseUrl, sizes, steps, received);
  try {
    for (let fault = 0; fault < faults; fault += 1) {
      environment = runHermes(serveArgv(folder, api.baseUrl, sizes));
      const end = await Promise.race([environment.ended, life(environment, random)]);
      if (end !== ALIVE) break; // it had all its steps before
      await environment.kill();
      await trainer.stop();
      trainer = startTrainer(api.baseUrl, sizes, steps, received);
    }
    environment = runHermes(serveArgv(folder, api.baseUrl, sizes));
    assert.equal(await environment.ended, 0, 'the environment did not end well');
    const { problems } = await trainer.done;
    assert.deepEqual(problems, []);
    const left = await drain(api.baseUrl, sizes.group, received);
    return { ...(await compareSides(runDirectory(folder), received, left)), received, faults };
  } finally {
    await environment?.kill();
    await trainer.stop();
  }
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'hermes-prove-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const ALIVE = Symbol('alive');

/** Some time after its first group. */
async function life(environment: RunningHermes, random: Random): Promise<typeof ALIVE> {
  await environment.told(/"group_end"/);
  await sleep(random.next() * longestLifeMs);
  return ALIVE;
}
