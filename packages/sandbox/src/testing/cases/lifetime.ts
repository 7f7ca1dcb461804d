import { expect } from 'vitest';
import type { ConformanceCase } from '../conformance-case.ts';
import { collect } from '../open-kit.ts';
import { codeOf } from '../run-case.ts';
import { untilGone } from './_processes.ts';
import { beside, decode, expectExit, okValue, sh, thrownCode } from './_run.ts';

const shortLifeMs = 4_000;

/** Ends that nobody asked for, and second handles. */
export const lifetimeCases: readonly ConformanceCase[] = [
  {
    group: 'lifecycle',
    name: 'when the lifetime passes the sandbox ends itself, with the reason in its outcome',
    needs: [],
    run: async ({ provider, open, labels }) => {
      const mark = { 'hermes.kit.case': 'lifetime' };
      const sandbox = await open({ lifetimeMs: shortLifeMs, labels: mark });
      expect(codeOf(await untilGone(sandbox))).toBe('SANDBOX_GONE');
      expect((await sandbox.dispose()).exitReason).toBe('lifetime');
      expect(await collect(provider.list({ labels: { ...labels, ...mark } }))).toEqual([]);
    },
  },
  {
    group: 'lifecycle',
    name: 'a command that the lifetime overtakes ends in SANDBOX_GONE',
    needs: ['shell'],
    run: async ({ open }) => {
      const sandbox = await open({ lifetimeMs: shortLifeMs });
      const running = sh(sandbox, 'sleep 1000', { timeoutMs: Number.POSITIVE_INFINITY });
      const seen = await running.then(({ status }) => `result ${status}`, codeUnlessUnsupported);
      expect(seen).toBe('SANDBOX_GONE');
    },
  },
  {
    group: 'lifecycle',
    name: 'a longer life is granted or refused as UNSUPPORTED',
    needs: [],
    run: async ({ open }) => {
      const sandbox = await open({ lifetimeMs: 600_000 });
      const before = sandbox.info.expiresAtMs;
      const code = await sandbox.extend(600_000).then(() => 'granted', codeOf);
      expect(['granted', 'UNSUPPORTED']).toContain(code);
      if (code === 'granted') expect(sandbox.info.expiresAtMs).toBeGreaterThan(before + 500_000);
    },
  },
  {
    group: 'lifecycle',
    name: 'a second handle on the same sandbox sees its files',
    needs: ['reattach'],
    run: async ({ provider, open }) => {
      const first = await open();
      okValue(await first.files.write('shared', 'yes'));
      const ref = JSON.parse(JSON.stringify(first.ref)) as typeof first.ref;
      const second = await provider.attach(ref);
      expect(decode(okValue(await second.files.read('shared')))).toBe('yes');
      await second.dispose();
      await untilGone(first);
    },
  },
  {
    group: 'lifecycle',
    name: 'after a reconnect the running command’s result is there under its key',
    needs: ['shell', 'reattach'],
    run: async ({ provider, open }) => {
      const first = await open();
      const script = 'echo x >> runs; while [ ! -e go ]; do sleep 0.05; done; wc -l < runs; exit 6';
      const extras = { idempotencyKey: 'kit-long-run' };
      void beside(sh(first, script, extras));
      await sh(first, 'while [ ! -e runs ]; do sleep 0.05; done');
      // The first handle's own promise is left alone: its connection may have passed to the second.
      const second = await provider.attach(first.ref);
      const resumed = beside(sh(second, script, extras));
      okValue(await second.files.write('go', ''));
      expectExit(await resumed, 6);
      expect((await resumed).stdout.text().trim()).toBe('1');
    },
  },
  {
    group: 'lifecycle',
    name: 'attaching to what never was is SANDBOX_GONE',
    needs: ['reattach'],
    run: async ({ provider, sandbox }) => {
      const ref = { ...sandbox.ref, id: `${sandbox.ref.id}-never`, name: null };
      expect(await thrownCode(provider.attach(ref))).toBe('SANDBOX_GONE');
    },
  },
  {
    group: 'lifecycle',
    name: 'the reaper keeps what lives and what others own',
    needs: [],
    run: async ({ provider, open, labels }) => {
      const { ref } = await open();
      const runId = labels['hermes.run'] ?? '';
      const report = await provider.reap({ runId });
      expect(report.removed.map(({ id }) => id)).not.toContain(ref.id);
      expect(report.failed).toEqual([]);
      const left = await collect(provider.list({ labels }));
      expect(left.map(({ id }) => id)).toContain(ref.id);
    },
  },
  {
    group: 'lifecycle',
    name: 'an idle limit ends an unused sandbox',
    needs: [],
    run: async ({ open }) => {
      const sandbox = await openIdle(open);
      if (sandbox === null) return;
      await untilGone(sandbox);
      expect((await sandbox.dispose()).exitReason).toBe('idle');
    },
  },
  {
    group: 'lifecycle',
    name: 'health is answered while a command is busy',
    needs: ['shell'],
    run: async ({ sandbox }) => {
      const abort = new AbortController();
      const busy = beside(sh(sandbox, 'sleep 1000', { signal: abort.signal }));
      const health = await sandbox.health();
      abort.abort();
      await busy;
      expect(health).toBe('ok');
    },
  },
];

function codeUnlessUnsupported(error: unknown): string | null {
  const code = codeOf(error);
  if (code === 'UNSUPPORTED') throw error;
  return code;
}

/** There is no capability for an idle limit: it is honoured or refused at creation. */
async function openIdle(
  open: (spec: { idleMs: number }) => Promise<Opened>,
): Promise<Opened | null> {
  try {
    return await open({ idleMs: 2_000 });
  } catch (error) {
    expect(codeOf(error)).toBe('UNSUPPORTED');
    return null;
  }
}

type Opened = Awaited<ReturnType<Parameters<ConformanceCase['run']>[0]['open']>>;
