import { expect } from 'vitest';
import { type ProvisionEvent, type Sandbox, SandboxError } from '../../types.ts';
import type { ConformanceCase } from '../conformance-case.ts';
import { collect } from '../open-kit.ts';
import { codeOf } from '../run-case.ts';
import { untilGone } from './_processes.ts';
import { okValue, output, thrownCode } from './_run.ts';

/** Creation, names, labels, disposal. */
export const lifecycleCases: readonly ConformanceCase[] = [
  {
    group: 'lifecycle',
    name: 'preflight finds the provider ready and repeats its capabilities',
    needs: [],
    run: async ({ provider }) => {
      const report = await provider.preflight();
      expect([report.ok, report.problems]).toEqual([true, []]);
      expect(Object.keys(report.capabilities)).toEqual(Object.keys(provider.capabilities));
      expect(provider.specificationVersion).toBe('v1');
    },
  },
  {
    group: 'lifecycle',
    name: 'creation tells its progress and ends ready and healthy',
    needs: [],
    run: async ({ provider, spec }) => {
      const events: ProvisionEvent[] = [];
      await using sandbox = await provider.create(spec(), { onProgress: (e) => events.push(e) });
      expect(events.at(-1)?.phase).toBe('ready');
      expect(await sandbox.health()).toBe('ok');
      expect(sandbox.info.provider).toBe(provider.id);
      expect(sandbox.info.expiresAtMs).toBeGreaterThan(sandbox.info.createdAtMs);
    },
  },
  {
    group: 'lifecycle',
    name: 'a creation whose signal has fired leaves nothing',
    needs: [],
    run: async ({ provider, spec, labels }) => {
      const mark = { 'hermes.kit.case': 'cancelled-before' };
      const creation = provider.create(spec({ labels: mark }), { signal: AbortSignal.abort() });
      expect(await thrownCode(creation)).toBe('CANCELLED');
      expect(await collect(provider.list({ labels: { ...labels, ...mark } }))).toEqual([]);
    },
  },
  {
    group: 'lifecycle',
    name: 'a creation cancelled on its way leaves nothing',
    needs: [],
    run: async ({ provider, spec, labels }) => {
      const mark = { 'hermes.kit.case': 'cancelled-within' };
      const abort = new AbortController();
      const creation = provider.create(spec({ labels: mark }), { signal: abort.signal });
      abort.abort();
      await creation.then(
        (sandbox) => sandbox.dispose(), // it was there before the signal could be heard
        (error) => expect(codeOf(error)).toBe('CANCELLED'),
      );
      expect(await collect(provider.list({ labels: { ...labels, ...mark } }))).toEqual([]);
    },
  },
  {
    group: 'lifecycle',
    name: 'labels are kept, completed and searched for',
    needs: [],
    run: async ({ provider, open, labels }) => {
      const mark = { 'hermes.trajectory': 'kit-labels' };
      const { ref } = await open({ labels: mark });
      expect(ref.labels).toMatchObject({ ...labels, ...mark, 'hermes.sandbox': '1' });
      expect(ref.labels).toHaveProperty(['hermes.owner.pid'], String(process.pid));
      expect(ref.labels).toHaveProperty(['hermes.owner.boot']);
      expect(Number(ref.labels['hermes.expires'])).toBeGreaterThan(Date.now() / 1000);
      const found = await collect(provider.list({ labels: { ...labels, ...mark } }));
      expect(found.map(({ id }) => id)).toEqual([ref.id]);
      expect(JSON.parse(JSON.stringify(ref))).toEqual(ref);
    },
  },
  {
    group: 'lifecycle',
    name: 'the same key again is the same sandbox, or refused, never a second one',
    needs: [],
    run: async ({ provider, open, labels }) => {
      const asked = {
        idempotencyKey: `kit-${labels['hermes.kit']}`,
        labels: { 'hermes.kit.case': 'key' },
      };
      const first = await open(asked);
      const second = await open(asked).catch(codeOf);
      if (typeof second === 'object' && second !== null) expect(second.ref.id).toBe(first.ref.id);
      const found = await collect(
        provider.list({ labels: { ...labels, 'hermes.kit.case': 'key' } }),
      );
      expect(found).toHaveLength(1);
    },
  },
  {
    group: 'lifecycle',
    name: 'disposing twice gives the same outcome twice, and nothing works afterwards',
    needs: [],
    run: async ({ provider, open }) => {
      const sandbox = await open();
      const attached = sandbox.capabilities.reattach ? 'SANDBOX_GONE' : 'UNSUPPORTED';
      const outcome = await sandbox.dispose();
      expect(outcome.exitReason).toBe('destroyed');
      expect(await sandbox.dispose()).toEqual(outcome);
      expect(codeOf(await untilGone(sandbox))).toBe('SANDBOX_GONE');
      expect(await goneCodes(sandbox)).toEqual(['SANDBOX_GONE', 'SANDBOX_GONE']);
      expect(await provider.attach(sandbox.ref).catch(codeOf)).toBe(attached);
    },
  },
  {
    group: 'lifecycle',
    name: 'a sandbox removed from outside is noticed, and disposing it is no error',
    needs: [],
    run: async ({ provider, open }) => {
      const sandbox = await open();
      const noticed = untilGone(sandbox);
      await provider.destroy(sandbox.ref);
      expect(codeOf(await noticed)).toBe('SANDBOX_GONE');
      expect(await goneCodes(sandbox)).toEqual(['SANDBOX_GONE', 'SANDBOX_GONE']);
      await sandbox.dispose();
      expect(await sandbox.health()).toBe('dead');
    },
  },
  {
    group: 'lifecycle',
    name: 'destroying what is not there is success',
    needs: [],
    run: async ({ provider, open }) => {
      const sandbox = await open();
      const { ref } = sandbox;
      await sandbox.dispose();
      await provider.destroy(ref);
      await provider.destroy(ref);
    },
  },
  {
    group: 'lifecycle',
    name: 'disposing ends what still runs',
    needs: ['shell'],
    run: async ({ open }) => {
      const sandbox = await open();
      const running = sandbox.exec({
        command: { script: 'sleep 1000', shell: 'sh' },
        timeoutMs: 60_000,
      });
      const ended = running.then(
        ({ status }) => status,
        (error: unknown) => {
          if (codeOf(error) === 'UNSUPPORTED') throw error;
          return codeOf(error);
        },
      );
      await sandbox.dispose();
      expect(['SANDBOX_GONE', 'cancelled', 'signaled']).toContain(await ended);
    },
  },
  {
    group: 'lifecycle',
    name: 'a snapshot starts a second sandbox with the same files',
    needs: ['snapshot'],
    run: async ({ open, labels }) => {
      const first = await open();
      if (first.snapshot === undefined) throw refusalOf(first);
      okValue(await first.files.write('kept', 'yes'));
      const image = await first.snapshot(`kit-${labels['hermes.kit']}`);
      const second = await open({ image });
      expect(okValue(await second.files.read(`${first.info.workdir}/kept`))).toHaveLength(3);
    },
  },
  {
    group: 'lifecycle',
    name: 'usage in the outcome is measured or named as a gap',
    needs: [],
    run: async ({ open }) => {
      const sandbox = await open();
      const { usage, gaps } = await sandbox.dispose();
      if (usage === null) expect(gaps.length).toBeGreaterThan(0);
      else expect(usage.wallSeconds).toBeGreaterThanOrEqual(0);
    },
  },
  {
    group: 'lifecycle',
    name: 'a disposed sandbox takes its processes with it',
    needs: ['shell', 'killTree'],
    run: async ({ open }) => {
      const sandbox = await open();
      await output(sandbox, 'sleep 1000 >/dev/null 2>&1 </dev/null &', { background: 'adopt' });
      expect((await sandbox.dispose()).exitReason).toBe('destroyed');
      expect(await sandbox.health()).toBe('dead');
    },
  },
];

async function goneCodes(sandbox: Sandbox): Promise<(string | null)[]> {
  const command = { argv: ['true'] } as const;
  const exec = sandbox.exec({ command, timeoutMs: 60_000 });
  return [await thrownCode(exec), await thrownCode(sandbox.files.read('x'))];
}

/** An absent optional method is a refusal: the kit says so with the error that it expects. */
function refusalOf(sandbox: Sandbox): SandboxError {
  return new SandboxError('UNSUPPORTED', 'request', `${sandbox.ref.provider} has no snapshots`);
}
