import type { RolloutEvent, RolloutRecord } from '@hermes/protocol';
import { expect, it } from 'vitest';
import { createEffects, evaluate, type OpenModel, openNoop, openOracle } from '../src/index.ts';
import { countingSandboxes, lineCount } from './_support/line-count.ts';

async function run(open: OpenModel) {
  const effects = createEffects();
  const records: RolloutRecord[] = [];
  const events: RolloutEvent[] = [];
  const signal = AbortSignal.timeout(60_000);
  const environment = await lineCount.open({ tasks: 3 }, { effects, signal, judge: null });
  const summary = await evaluate({
    definition: { id: lineCount.id, version: lineCount.version, configDigest: 'tasks=3' },
    environment,
    sandboxes: countingSandboxes(),
    effects,
    attempts: 2,
    sampling: { temperature: 1 },
    model: { provider: 'test', modelId: 'test', open },
    sinks: [
      {
        record: async (record) => void records.push(record),
        event: (event) => void events.push(event),
      },
    ],
  });
  return { summary, records, events };
}

it('scores every item full when its own solution is played', async () => {
  const { summary, events, records } = await run(openOracle);
  expect(records.map((record) => record.status === 'errored' && record.errored)).toEqual(
    Array(6).fill(false),
  );
  expect(summary).toMatchObject({ total: 6, passed: 6, failed: 0, errored: 0, scoreValid: 1 });
  expect(events.filter((event) => event.type === 'tool_end')).toHaveLength(6);
});

it('fails, and does not err, a model that does nothing', async () => {
  const { summary } = await run(openNoop);
  expect(summary).toMatchObject({ passed: 0, failed: 6, errored: 0, scoreValid: 0 });
});
