import { createTrajectoryServer } from '@hermes/atropos';
import { startFakeTrainer } from '@hermes/atropos/testing';
import { expect, it } from 'vitest';
import { type ScriptedServer, sayingSums, withEngines } from './_engines.ts';
import { hermes, summaryOf } from './_run.ts';
import { trainingOptions } from './_training.ts';

type Group = Readonly<{
  tokens: readonly (readonly number[])[];
  masks: readonly (readonly number[])[];
  inference_logprobs: readonly (readonly number[])[];
  scores: readonly number[];
  overrides: readonly Readonly<{ truncated?: boolean }>[] | null;
}>;

/** Plays until a trainer has made two steps of two groups. Returns what it got. */
async function feedTrainer(
  servers: readonly ScriptedServer[],
  folder: string,
  maxTokens: number,
): Promise<Readonly<{ groups: readonly Group[]; summary: Readonly<Record<string, unknown>> }>> {
  await using api = await createTrajectoryServer({ port: 0 });
  const groups: Group[] = [];
  const trainer = startFakeTrainer({
    baseUrl: api.baseUrl,
    batchSize: 8,
    steps: 2,
    maxTokens,
    onBatch: (batch) => groups.push(...(batch as readonly Group[])),
  });
  const urls = servers.flatMap(({ url }) => ['--base-url', url]);
  const engine = ['--model', 'openai:tiny', '--env.tokenizer_name', 'model', ...urls];
  const argv = ['serve', 'sums', '--trainer-url', api.baseUrl, '--json', '--server-type', 'vllm'];
  const ended = await hermes([...argv, ...engine], trainingOptions(folder));
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  expect(await trainer.done).toMatchObject({ steps: 2, sequences: 16, problems: [] });
  return { groups, summary: summaryOf(ended) };
}

it('feeds a trainer with what several servers have sampled', () =>
  withEngines(['vllm', 'vllm'], async (servers, folder) => {
    const { groups, summary } = await feedTrainer(servers, folder, 4096);
    expect(summary).toMatchObject({ groups: { refused: {}, truncated: 0 } });
    for (const { sampled } of servers) expect(sampled).not.toHaveLength(0);
    const sampled = new Map(
      servers
        .flatMap((server) => server.sampled)
        .map(({ prompt, ids, logprobs }) => [
          [...prompt, ...ids].join(),
          { prompt, ids, logprobs },
        ]),
    );
    for (const { tokens, masks, inference_logprobs: logprobs, scores } of groups) {
      expect(scores.toSorted()).toEqual([0, 0, 1, 1]);
      for (const [index, ids] of tokens.entries()) {
        const own = sampled.get(ids.join());
        expect(masks[index]).toEqual([...(own?.prompt ?? []).map(() => -100), ...(own?.ids ?? [])]);
        expect(logprobs[index]).toEqual([
          ...(own?.prompt ?? []).map(() => 1),
          ...(own?.logprobs ?? []),
        ]);
      }
    }
  }));

it('cuts and marks what is too long for the trainer; groups keep their size', () =>
  withEngines(
    ['vllm'],
    async (servers, folder) => {
      const { groups, summary } = await feedTrainer(servers, folder, 256);
      expect(Number((summary.groups as { truncated: number }).truncated)).toBeGreaterThan(7);
      for (const { tokens, scores, overrides } of groups) {
        expect(tokens).toHaveLength(4);
        for (const [index, score] of scores.entries()) {
          expect(overrides?.[index]?.truncated === true).toBe(score === 0);
          expect(tokens[index]?.length).toBeLessThan(256);
        }
      }
    },
    sayingSums(' and so on'.repeat(100)),
  ));
