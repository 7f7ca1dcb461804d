import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ModelError, type ScoredGroup } from '@hermes/protocol';
import {
  type MemoryTrainer,
  memoryTrainer,
  scriptedModel,
  scriptedTokenModel,
} from '@hermes/protocol/testing';
import { expect, it } from 'vitest';
import {
  createEffects,
  groupPlanOf,
  openRunDirectory,
  openTrainingFile,
  type RunEvent,
  serve,
} from '../src/index.ts';
import { collecting, plainEnvironment } from './_support/harness.ts';
import { alternating, answers, briskEffects, optionsFor, training } from './_support/serving.ts';
import { temporaryFolder } from './_support/temporary-folder.ts';

it('feeds a trainer until it has made its steps, and takes its leave', async () => {
  const trainer = training({ registration: { batchSize: 8, totalSteps: 5 } });
  const summary = await serve(optionsFor({ trainer }));
  expect(summary.step).toBeGreaterThanOrEqual(5);
  expect(summary.groups.sent).toBe(trainer.received.length);
  expect(summary.groups.sent).toBeGreaterThanOrEqual(10);
  expect(summary.interrupted).toBe(false);
  expect(trainer.connected()).toEqual([]);
  expect(trainer.calls.at(-1)).toBe('disconnect');
});

it.each([1, 4, 16])('sends groups of %i with exact tokens, masks and log-probs', async (size) => {
  const trainer = training({ registration: { batchSize: 16, totalSteps: 2 } });
  await serve(optionsFor({ trainer, group: { size } }));
  expect(trainer.received.length).toBeGreaterThanOrEqual(32 / size);
  for (const { sequences } of trainer.received) {
    expect(sequences).toHaveLength(size);
    for (const { tokens, mask, logprobs } of sequences) {
      expect([mask.length, logprobs.length]).toEqual([tokens.length, tokens.length]);
      expect(String.fromCodePoint(...tokens)).toMatch(/^user: Do it\.\nassistant: Answer item-/);
      for (const [place, token] of tokens.entries()) {
        const isContext = place < 'user: Do it.\n'.length;
        expect(mask[place]).toBe(isContext ? -100 : token);
        expect(isContext ? logprobs[place] === 1 : (logprobs[place] ?? 1) <= 0).toBe(true);
      }
    }
  }
});

it('sends every item once in order of nothing but its end, and begins anew after the last', async () => {
  const trainer = training({ registration: { batchSize: 4, totalSteps: 7 } });
  const { sink, records } = collecting();
  await serve(optionsFor({ trainer, environment: alternating(3), sinks: [sink] }));
  const keys = records.map((record) => record.trialKey);
  expect(new Set(keys).size).toBe(keys.length);
  const attempts = records
    .filter((record) => record.identity.itemId === 'item-0' && record.status === 'completed')
    .map((record) => record.identity.attempt);
  expect(attempts).toEqual(expect.arrayContaining([0, 1, 2, 3, 4, 5, 6, 7]));
});

it('never sends before it is registered, and waits for a trainer that is not there yet', async () => {
  const trainer = training({ registration: null });
  const told: RunEvent[] = [];
  const sinks = [{ run: (event: RunEvent) => void told.push(event) }];
  const waiting = serve(optionsFor({ trainer, effects: briskEffects(), sinks }));
  while (trainer.calls.length < 3) await new Promise(setImmediate);
  expect(new Set(trainer.calls)).toEqual(new Set(['registerEnvironment']));
  trainer.restart({ batchSize: 8, totalSteps: 1 });
  expect((await waiting).groups.sent).toBeGreaterThan(0);
  const states = told.flatMap((event) => (event.type === 'trainer' ? event.state : []));
  expect(states).toEqual(['waiting', 'joined', ...states.slice(2).map(() => 'step')]);
  expect(trainer.calls.indexOf('send')).toBeGreaterThan(
    trainer.calls.lastIndexOf('registerEnvironment'),
  );
});

it('gives up waiting for a trainer after the time that was set', async () => {
  const trainer = memoryTrainer({ registration: null });
  const { clock } = createEffects();
  let nowMs = 0;
  const effects = createEffects({
    clock: {
      now: () => ({ wallMs: nowMs, monoMs: nowMs }),
      sleep: async (ms, signal) => {
        if (ms > 10_000) return clock.sleep(ms, signal);
        nowMs += ms;
      },
    },
  });
  const ended = serve(optionsFor({ trainer, effects, waitForTrainerMs: 3_000 }));
  await expect(ended).rejects.toMatchObject({ boundary: 'trainer', code: 'NO_TRAINER' });
  expect(trainer.calls).toHaveLength(4);
});

it('runs no further ahead of the trainer than it may', async () => {
  const trainer = memoryTrainer({ registration: { batchSize: 8, totalSteps: 100 } });
  const stop = new AbortController();
  let looks = 0;
  const watched: MemoryTrainer = {
    ...trainer,
    status: async (id, signal) => {
      const status = await trainer.status(id, signal);
      looks = status.queuedGroups === 6 ? looks + 1 : 0;
      if (looks === 20) stop.abort();
      return status;
    },
  };
  const summary = await serve(
    optionsFor({ trainer: watched, signal: stop.signal, scheduler: { rollouts: 64 } }),
  );
  expect(trainer.received).toHaveLength(6); // 3 batches of 8 in groups of 4
  expect(summary).toMatchObject({ interrupted: true, groups: { sent: 6 } });
  expect(trainer.connected()).toEqual([]);
});

it('skips groups that teach nothing and counts the reasons', async () => {
  const trainer = training({ registration: { batchSize: 4, totalSteps: 2 } });
  const summary = await serve(
    optionsFor({
      trainer,
      environment: plainEnvironment({
        async *items() {
          for (let index = 0; index < 100; index += 1) yield { id: `item-${index}`, data: index };
        },
        computeReward: async ({ data }, result) => {
          if (data % 3 === 0) return 1;
          return JSON.stringify(result.messages).match(/[13]\.\\?"/) ? 1 : 0;
        },
        finishGroup: async (records, group) =>
          records[0]?.identity.itemId === 'item-1' ? null : group,
      }),
    }),
  );
  expect(summary.groups.skipped).toMatchObject({ same_scores: expect.any(Number), environment: 1 });
  for (const { sequences } of trainer.received)
    expect(new Set(sequences.map(({ score }) => score)).size).toBe(2);
});

it('cuts a sequence that is too long for the trainer and says so, and loses no group for it', async () => {
  const trainer = training({ registration: { batchSize: 4, totalSteps: 2, maxTokens: 200 } });
  const summary = await serve(
    optionsFor({
      trainer,
      open: ({ identity }) =>
        scriptedTokenModel(
          `${'long '.repeat(identity.attempt === 3 ? 60 : 1)}${identity.attempt}.`,
        ),
    }),
  );
  expect(summary.groups.truncated).toBe(summary.groups.sent);
  for (const { sequences } of trainer.received) {
    expect(sequences.map(({ tokens }) => tokens.length < 200)).toEqual([true, true, true, true]);
    const [long] = sequences.filter(({ overrides }) => overrides?.truncated === true);
    expect(long).toMatchObject({ score: 1 });
    expect([long?.tokens.length, long?.mask.length, long?.logprobs.length]).toEqual([
      136, 136, 136,
    ]);
  }
});

it('keeps and counts groups that the trainer refuses, and goes on', async () => {
  const path = await temporaryFolder();
  let seen = 0;
  const trainer = training({
    registration: { batchSize: 4, totalSteps: 3 },
    refuse: () => {
      seen += 1;
      return seen === 2 ? 'HTTP 422: no' : null;
    },
  });
  const told: string[] = [];
  const base = optionsFor({ trainer, onRefused: async (_group, why) => void told.push(why) });
  const plan = groupPlanOf(base, { job: 'serve', size: 4 });
  const directory = await openRunDirectory(path, { resume: false, plan });
  const summary = await serve({ ...base, directory });
  await directory.close();
  expect(summary.groups.refused).toEqual({ rejected: 1 });
  expect(told).toEqual(['HTTP 422: no']);
  const [line] = (await readFile(join(path, 'refused.jsonl'), 'utf8')).trim().split('\n');
  const refused: { reason: string; group: ScoredGroup } = JSON.parse(line ?? '');
  expect(refused.reason).toBe('HTTP 422: no');
  expect(refused.group.sequences).toHaveLength(4);
});

it('survives a trainer that is started anew, and sends the groups that it had in hand', async () => {
  const trainer: MemoryTrainer = training({
    registration: { batchSize: 8, totalSteps: 20 },
    before: (route, number) => {
      if (route === 'send' && number === 5) trainer.restart({ batchSize: 8, totalSteps: 6 });
    },
  });
  const summary = await serve(optionsFor({ trainer }));
  expect(summary.groups).toMatchObject({ trainerLost: 1, sent: trainer.received.length });
  expect(summary.step).toBeGreaterThanOrEqual(6);
  const ids = trainer.received.map(({ groupId }) => groupId);
  expect(new Set(ids).size).toBe(ids.length);
});

it('drops a group that cannot be had with its reason, and retries what is worth it', async () => {
  const trainer = training({ registration: { batchSize: 4, totalSteps: 3 } });
  const failing = new Set(['item-1/2']);
  const summary = await serve(
    optionsFor({
      trainer,
      effects: briskEffects(),
      open: (rollout) => {
        const { itemId, attempt } = rollout.identity;
        if (itemId === 'item-0') throw new ModelError('AUTH', 'no key');
        if (failing.delete(`${itemId}/${attempt}`)) throw new ModelError('SERVER', 'down');
        return answers(rollout);
      },
    }),
  );
  expect(summary.groups.skipped).toEqual({ 'model/model_auth': 1 });
  expect(trainer.received.every(({ sequences }) => sequences.length === 4)).toBe(true);
  expect(summary.erroredBy).toMatchObject({ 'model/model_auth': expect.any(Number) });
});

it('ends at once with a model that gives no tokens', async () => {
  const trainer = training();
  const ended = serve(optionsFor({ trainer, open: () => scriptedModel('Text only.') }));
  await expect(ended).rejects.toMatchObject({ boundary: 'config', code: 'NOT_TRAINABLE' });
  expect(trainer.received).toEqual([]);
  expect(trainer.connected()).toEqual([]);
});

it('skips a group of which a prompt left the model no room, and goes on', async () => {
  const trainer = training({ registration: { batchSize: 4, totalSteps: 1 } });
  const summary = await serve(
    optionsFor({
      trainer,
      open: (rollout) =>
        rollout.identity.itemId === 'item-0'
          ? scriptedTokenModel(new ModelError('CONTEXT_OVERFLOW', 'too long'))
          : answers(rollout),
    }),
  );
  expect(summary.groups.skipped).toMatchObject({ not_answered: 1 });
  expect(summary.groups.sent).toBeGreaterThan(0);
});

it('sends the last segment of a rollout and counts what was left out', async () => {
  const trainer = training({ registration: { batchSize: 4, totalSteps: 1 } });
  const summary = await serve(
    optionsFor({
      trainer,
      open: ({ identity }) => {
        const model = scriptedTokenModel(`${identity.attempt}.`);
        const segments = () => {
          const [segment] = model.segments();
          if (segment === undefined) return [];
          return [segment, { ...segment, index: 1, ids: [7], mask: [7], logprobs: [-1] }];
        };
        return { ...model, segments };
      },
    }),
  );
  expect(trainer.received[0]?.sequences[0]?.tokens).toEqual([7]);
  expect(summary.groups.segmentsLeftOut).toBe(summary.groups.sent * 4);
});

it('writes every group into a training file before it is sent', async () => {
  const path = join(await temporaryFolder(), 'groups.jsonl');
  const file = await openTrainingFile(path, { lines: 'groups', page: false });
  const trainer: MemoryTrainer = training({
    registration: { batchSize: 8, totalSteps: 20 },
    before: (route, number) => {
      if (route === 'send' && number === 3) trainer.restart({ batchSize: 8, totalSteps: 3 });
    },
  });
  await serve(optionsFor({ trainer, write: file.write }));
  await file.close();
  const lines = (await readFile(path, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map((line) => line.groupId)).toEqual(trainer.received.map((one) => one.groupId));
  expect(lines[0]).toMatchObject({
    trainable: true,
    tokens: trainer.received[0]?.sequences.map(({ tokens }) => tokens),
  });
});

it('goes on where it was after it was ended, and plays nothing twice', async () => {
  const path = await temporaryFolder();
  const trainer = training({ registration: { batchSize: 4, totalSteps: 100 } });
  const stop = new AbortController();
  const { sink, records } = collecting();
  const changes = { trainer, sinks: [sink] };
  const plan = groupPlanOf(optionsFor(changes), { job: 'serve', size: 4 });
  const first = await openRunDirectory(path, { resume: false, plan });
  const onSent = async () => {
    if (trainer.received.length === 10) stop.abort();
  };
  await serve({ ...optionsFor({ ...changes, signal: stop.signal, onSent }), directory: first });
  await first.close();
  const position = JSON.parse(await readFile(join(path, 'position.json'), 'utf8'));
  expect(position).toMatchObject({ v: 1, epoch: 0 });

  const again = new AbortController();
  const second = await openRunDirectory(path, { resume: true, plan });
  const onSentAgain = async () => {
    if (trainer.received.length === 25) again.abort();
  };
  const summary = await serve({
    ...optionsFor({ ...changes, signal: again.signal, onSent: onSentAgain }),
    directory: second,
  });
  await second.close();
  expect(summary.groups.sent).toBe(25);
  const completed = records.filter((record) => record.status === 'completed');
  const keys = completed.map((record) => record.trialKey);
  expect(new Set(keys).size).toBe(keys.length);
  const ids = trainer.received.map(({ groupId }) => groupId);
  expect(new Set(ids).size).toBe(25);
});

it.each([{ size: 0 }, { workers: 0 }, { name: '' }, { minBatchShare: 2 }])(
  'refuses the group rules %j',
  async (group) => {
    const ended = serve(optionsFor({ trainer: memoryTrainer(), group }));
    await expect(ended).rejects.toMatchObject({ boundary: 'config', code: 'CONFIG' });
  },
);

it('refuses groups that are larger than the batch', async () => {
  const trainer = memoryTrainer({ registration: { batchSize: 2 } });
  await expect(serve(optionsFor({ trainer }))).rejects.toMatchObject({
    code: 'CONFIG',
    message: expect.stringContaining('group of 4 is larger'),
  });
  expect(trainer.connected()).toEqual([]);
});

it('warns of groups that never fill a batch', async () => {
  const stop = new AbortController();
  const warnings: string[] = [];
  const log = (_level: string, message: string) => {
    warnings.push(message);
    stop.abort();
  };
  const trainer = memoryTrainer({ registration: { batchSize: 6 } });
  await serve(
    optionsFor({ trainer, effects: briskEffects({ logger: { log } }), signal: stop.signal }),
  );
  expect(warnings).toEqual([
    'Groups of 4 alone never fill a batch of 6, and the trainer waits for ever: choose a group size of 1, 2, 3, 6, or another batch',
  ]);
});

it('says that there is nothing to train on', async () => {
  const trainer = memoryTrainer();
  const environment = alternating(0);
  await expect(serve(optionsFor({ trainer, environment }))).rejects.toMatchObject({
    code: 'NO_ITEMS',
  });
});
