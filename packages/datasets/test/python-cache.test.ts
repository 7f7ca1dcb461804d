import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { isExpected, pythonCommand } from '@hermes/vitest-config/services';
import { describe, expect, it } from 'vitest';
import { openDataset } from '../src/index.ts';
import { collect } from './_helpers.ts';
import { type HubTest, ID, openHubTest, QUIZ } from './_hub.ts';

const SPLIT = { kind: 'hub', id: ID, config: 'main', split: 'train' } as const;
const FILE = 'main/train-00000-of-00002.jsonl';

async function python(action: 'read' | 'write', { options, hub }: HubTest): Promise<string> {
  const script = fileURLToPath(new URL('python-cache.py', import.meta.url));
  const run = promisify(execFile)(pythonCommand, [script, action, options.cacheDir, ID, FILE], {
    timeout: 60_000,
    env: {
      ...process.env,
      HF_ENDPOINT: hub.endpoint,
      HF_HUB_DISABLE_XET: '1',
      HF_HUB_DISABLE_PROGRESS_BARS: '1',
      HF_HUB_DISABLE_TELEMETRY: '1',
    },
  });
  return (await run).stdout;
}

describe.runIf(isExpected('huggingface_hub'))('the cache shared with Python', () => {
  it('is read by Python after it was written here', async () => {
    const test = await openHubTest();
    await openDataset(SPLIT, test.options);
    await test.hub.close();
    expect(await python('read', test)).toBe('{"n":1}\n{"n":2}\n');
  }, 90_000);

  it('is read here, offline, after Python wrote it', async () => {
    const test = await openHubTest();
    expect(await python('write', test)).toBe('{"n":1}\n{"n":2}\n');
    await test.hub.close();
    const dataset = await openDataset(SPLIT, { ...test.options, offline: true });
    expect(await collect(dataset.rows())).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  }, 90_000);

  it('is used by both without downloading anything twice', async () => {
    const test = await openHubTest(QUIZ);
    await python('write', test);
    const large = test.hub.requests.filter((each) => each.isLargeFile && each.method === 'GET');
    await openDataset(SPLIT, test.options);
    const after = test.hub.requests.filter((each) => each.isLargeFile && each.method === 'GET');
    expect(after).toHaveLength(large.length);
  }, 90_000);
});
