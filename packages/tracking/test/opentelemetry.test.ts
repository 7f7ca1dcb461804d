import { testEffects } from '@hermes/protocol/testing';
import { isExpected } from '@hermes/vitest-config/services';
import { expect, it } from 'vitest';
import { openTracker } from '../src/index.ts';
import { startCollector } from './_collector.ts';
import { askPython } from './_python.ts';

const messages = ({ logger }: ReturnType<typeof testEffects>) =>
  logger.entries.map(({ message }) => message);

it.runIf(isExpected('opentelemetry-proto'))(
  'sends gauges that the protocol’s own types read, at their time, with the step beside them',
  async () => {
    const collector = await startCollector();
    const attributes = { 'service.name': 'trainer', 'hermes.run': 'run_1' };
    const headers = { 'x-team': 'evals' };
    const openTelemetry = { url: collector.url, attributes, headers };
    const tracker = openTracker({ openTelemetry }, testEffects());
    tracker.write(3, 1_767_225_600_123.5, { 'train/avg_reward': 0.25, '0 odd name ü': 1 });
    tracker.table?.('train/rollouts', 3, ['text'], [['never sent']]);
    await tracker.close();
    const [request] = collector.requests;
    expect(collector.requests).toHaveLength(1);
    expect(request?.path).toBe('/v1/metrics');
    expect(request?.headers).toMatchObject({ ...headers, 'content-type': 'application/json' });
    const time = 1_767_225_600_123_500_000;
    expect(await askPython('read-otlp.py', [request?.body ?? ''])).toEqual({
      attributes,
      points: {
        'train/avg_reward': [[time, 0.25]],
        odd_name__: [[time, 1]],
        'hermes.step': [[time, 3]],
      },
    });
  },
  60_000,
);

it('sends it again after an answer that asks for patience, and says so once', async () => {
  const collector = await startCollector([503, 429]);
  const effects = testEffects({});
  const tracker = openTracker({ openTelemetry: { url: collector.url }, retryMs: 0 }, effects);
  tracker.write(1, 0, { value: 1 });
  await expect.poll(() => effects.clock.advance(1).then(() => collector.requests.length)).toBe(3);
  await tracker.close();
  expect(new Set(collector.requests.map(({ body }) => body)).size).toBe(1);
  expect(messages(effects)).toEqual([
    `tracking: OpenTelemetry: ${collector.url} answered with 503; the run goes on, and it is tried again`,
  ]);
});

it('is left alone after a refusal', async () => {
  const collector = await startCollector([401]);
  const effects = testEffects();
  const tracker = openTracker({ openTelemetry: { url: collector.url } }, effects);
  tracker.write(1, 0, { value: 1 });
  await expect
    .poll(() => messages(effects))
    .toEqual([
      `tracking: OpenTelemetry: ${collector.url} answered with 401; the run goes on without it`,
    ]);
  tracker.write(2, 0, { value: 2 });
  await tracker.close();
  expect(collector.requests).toHaveLength(1);
});

it('goes on where nobody listens, and keeps a key in the address to itself', async () => {
  const collector = await startCollector();
  collector.close();
  const effects = testEffects();
  const url = `${collector.url}?key=secret`;
  const tracker = openTracker({ openTelemetry: { url } }, effects);
  tracker.write(1, 0, { value: 1 });
  await tracker.close();
  expect(messages(effects)).toEqual([
    `tracking: OpenTelemetry: ${collector.url} was not reached; the run goes on, and it is tried again`,
  ]);
});

it.each(['nonsense', 'localhost:4318', 'http://user:secret@localhost:4318'])(
  'goes on where the endpoint is no address: %s',
  async (url) => {
    const effects = testEffects();
    const tracker = openTracker({ openTelemetry: { url } }, effects);
    tracker.write(1, 0, { value: 1 });
    await tracker.close();
    expect(messages(effects)).toEqual([
      'tracking: OpenTelemetry: its endpoint is no http address without user and password; the run goes on without it',
    ]);
  },
);

it('does not wait for ever for an answer', async () => {
  const collector = await startCollector([null]);
  const effects = testEffects();
  const openTelemetry = { url: collector.url, timeoutMs: 50 };
  const tracker = openTracker({ openTelemetry }, effects);
  tracker.write(1, 0, { value: 1 });
  await tracker.close();
  expect(messages(effects)).toHaveLength(1);
});
