import { expect, it } from 'vitest';
import { LABEL, sandboxLabels } from '../src/core/labels.ts';
import { currentBoot, mayBeAlive, type Owner, thisOwner } from '../src/core/owner.ts';
import { reapSandboxes } from '../src/core/reap.ts';
import type { ReapPolicy, ReapReport, SandboxRef } from '../src/index.ts';

const NOW = 1_700_000_000_000;
const dead: Owner = { pid: 2_147_483_646, boot: currentBoot(), startTicks: '1' };

function ref(
  id: string,
  owner: Owner,
  createdMs: number,
  lifetimeMs: number,
  run = 'run-a',
): SandboxRef {
  const labels = sandboxLabels({ [LABEL.run]: run }, owner, createdMs, lifetimeMs);
  return { provider: 'test', id, name: null, labels };
}

const refs: readonly SandboxRef[] = [
  ref('living', thisOwner(), NOW - 60_000, 3_600_000),
  ref('expired', thisOwner(), NOW - 60_000, 30_000),
  ref('orphan', dead, NOW - 60_000, 3_600_000),
  ref('young-orphan', dead, NOW - 1000, 3_600_000),
  ref('other-run', dead, NOW - 60_000, 3_600_000, 'run-b'),
  ref('other-boot', { ...dead, boot: 'another' }, NOW - 60_000, 3_600_000),
  ref('pid-reused', { ...thisOwner(), startTicks: '1' }, NOW - 60_000, 3_600_000),
];

async function reap(policy: ReapPolicy, destroyed: string[] = []): Promise<ReapReport> {
  return reapSandboxes(
    {
      nowMs: () => NOW,
      list: async function* ({ labels = {} }) {
        for (const one of refs)
          if (Object.entries(labels).every(([name, value]) => one.labels[name] === value))
            yield one;
      },
      destroy: async ({ id }) => {
        if (id === 'expired') throw new Error('busy');
        destroyed.push(id);
      },
    },
    policy,
  );
}

const ids = (list: readonly SandboxRef[]) => list.map(({ id }) => id);

it('removes what expired or lost its owner in this boot, and nothing else', async () => {
  const destroyed: string[] = [];
  const report = await reap({}, destroyed);
  expect(destroyed).toEqual(['orphan', 'young-orphan', 'other-run', 'pid-reused']);
  expect(ids(report.removed)).toEqual(destroyed);
  expect(ids(report.kept)).toEqual(['living', 'other-boot']);
});

it('goes on after a removal that failed, and reports it', async () => {
  const report = await reap({});
  expect(report.failed.map(({ ref: failed, message }) => [failed.id, message])).toEqual([
    ['expired', 'busy'],
  ]);
});

it('touches one run alone when asked', async () => {
  expect(ids((await reap({ runId: 'run-b' })).removed)).toEqual(['other-run']);
});

it('leaves what is younger than asked', async () => {
  expect(ids((await reap({ olderThanMs: 30_000 })).kept)).toContain('young-orphan');
});

it('only says what it would remove in a dry run', async () => {
  const destroyed: string[] = [];
  const report = await reap({ dryRun: true }, destroyed);
  expect(destroyed).toEqual([]);
  expect(ids(report.removed)).toContain('orphan');
});

it('takes this process as alive, and a pid that another process got as gone', () => {
  expect(mayBeAlive(thisOwner())).toBe(true);
  expect(mayBeAlive({ ...thisOwner(), startTicks: '1' })).toBe(false);
  expect(mayBeAlive({ ...dead, boot: '' })).toBe(true);
});
