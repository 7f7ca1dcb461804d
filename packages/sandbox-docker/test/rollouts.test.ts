import type { Environment } from '@hermes/env-core';
import type { SandboxProvider } from '@hermes/sandbox';
import { isExpected } from '@hermes/vitest-config/services';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { DockerSandboxSettings } from '../src/index.ts';
import { startCable } from './_cable.ts';
import { BUSYBOX, docker, openProvider } from './_docker.ts';
import { outcomeOf, play } from './_play.ts';
import { startRegistry } from './_registry.ts';

async function open(settings: DockerSandboxSettings = {}): Promise<SandboxProvider> {
  const provider = await openProvider({ image: BUSYBOX, minFreeBytes: 0, ...settings });
  onTestFinished(() => provider.close());
  return provider;
}

const always1: Environment<null>['computeReward'] = async () => 1;

describe.runIf(isExpected('docker'))('a rollout', { timeout: 90_000 }, () => {
  it('whose container dies under a silent command is errored, and its retry has a fresh one', async () => {
    let calls = 0;
    const { records, tried } = await play(await open(), async (_item, _result, tools) => {
      calls += 1;
      if (calls > 1) return 1;
      const container = docker.getContainer(tools.sandbox?.ref.id ?? '');
      await Promise.all([tools.exec('sleep 1000', { timeoutMs: 900_000 }), container.kill()]);
      return 0;
    });
    expect([...tried, ...records].map(outcomeOf)).toEqual(['sandbox_lost', '1']);
    expect(tried[0]?.sandboxes[0]?.exitReason).toBe('crashed');
    expect(tried[0]?.sandboxes[0]?.sandboxId).not.toBe(records[0]?.sandboxes[0]?.sandboxId);
  });

  it('behind a cable that is cut is errored within seconds, with the reason', async () => {
    const cable = await startCable();
    const provider = await open({ host: cable.host });
    const { records } = await play(
      provider,
      async (_item, _result, tools) => {
        cable.stall();
        tools.sandbox?.gone.addEventListener('abort', () => cable.restore());
        await tools.exec('sleep 1000', { timeoutMs: 900_000 });
        return 0;
      },
      {},
      { retry: { maxTries: 1 } },
    );
    expect(records.map(outcomeOf)).toEqual(['sandbox_lost']);
    expect(JSON.stringify(records[0])).toContain('the daemon does not answer');
  });

  it('whose image a busy registry refuses is errored and tried again, and counts in no mean', async () => {
    const registry = await startRegistry();
    onTestFinished(() => registry.close());
    registry.fault((_, response) => {
      response.writeHead(429, { 'retry-after': '0', 'content-type': 'application/json' });
      response.end('{"errors":[{"code":"TOOMANYREQUESTS","message":"slow down"}]}');
      return true;
    });
    const image = { kind: 'ref', ref: `${registry.address}/busy:1` } as const;
    const { records, tried, summary } = await play(await open(), always1, { image });
    expect([...tried, ...records].map(outcomeOf)).toEqual(['image_pull', 'image_pull']);
    expect(summary).toMatchObject({ errored: 1, failed: 0, scoreValid: null });
  });

  it('whose container never starts is errored at its limit, and its place is free again', async () => {
    const cable = await startCable();
    const provider = await open({ host: cable.host });
    cable.swallow(/^POST \/containers\/\w+\/start/);
    const given = { limits: { startMs: 3000 }, retry: { maxTries: 1 } };
    const { records } = await play(provider, always1, {}, given);
    expect(records.map(outcomeOf)).toEqual(['env_start_timeout']);
    cable.restore();
    expect((await play(await open(), always1)).records.map(outcomeOf)).toEqual(['1']);
  });

  it('whose container cannot be removed keeps its result, and the record says what is left', async () => {
    const cable = await startCable();
    const provider = await open({ host: cable.host });
    const { records } = await play(provider, async () => {
      cable.swallow(/^DELETE /);
      return 1;
    });
    expect(records.map(outcomeOf)).toEqual(['1']);
    const [report] = records[0]?.sandboxes ?? [];
    expect(report?.gaps.map(({ code }) => code)).toContain('destroy_failed');
  });

  it('on a daemon whose disk is full does not even begin: no word is asked of a model', async () => {
    const provider = await open({ minFreeBytes: 2 ** 60 });
    await expect(play(provider, always1)).rejects.toThrow(/MiB left.*docker system df/);
  });

  it('that fills the disk of its sandbox is errored as evicted', async () => {
    const provider = await open({ maxDiskBytes: 2 ** 20 });
    const { records } = await play(
      provider,
      async (_item, _result, tools) => {
        const filling = 'head -c 9000000 /dev/zero > /fill; sleep 1000';
        await tools.exec(filling, { timeoutMs: 900_000 });
        return 0;
      },
      {},
      { retry: { maxTries: 1 } },
    );
    expect(records.map(outcomeOf)).toEqual(['sandbox_lost']);
    expect(records[0]?.sandboxes[0]?.exitReason).toBe('evicted');
  });
});
