import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sandbox } from '@hermes/sandbox';
import { identifyProcess, isProcessAlive } from '@hermes/sandbox/host';
import { isExpected } from '@hermes/vitest-config/services';
import { describe, expect, it } from 'vitest';
import { delegateCgroups } from './_delegation.ts';
import { openProvider, openSandbox, run, sandboxSpec } from './_provider.ts';
import { startServerProcess } from './_sshd.ts';

const MEBIBYTE = 1024 * 1024;
const HUNGRY = 'exec tail < /dev/zero > /dev/null';

/** The control groups of a process in a sandbox, as folders of this machine, which is its host. */
async function groupsOf(sandbox: Sandbox): Promise<string[]> {
  const lines = (await run(sandbox, 'cat /proc/self/cgroup')).trim().split('\n');
  return lines.flatMap((line) => {
    const [, controllers = '', path = ''] = line.split(':');
    const folders = [`/sys/fs/cgroup/${controllers}${path}`, `/sys/fs/cgroup${path}`];
    return path.includes(sandbox.ref.id) ? folders.filter((folder) => existsSync(folder)) : [];
  });
}

describe.runIf(isExpected('sshd'))('limits over ssh', { timeout: 60_000 }, () => {
  it('are refused with the reason in preflight where the account may make no control groups', async () => {
    const provider = await openProvider();
    const { summary, capabilities } = await provider.preflight();
    expect(summary).toContain('no limits (the account may make no control groups)');
    expect(capabilities.resourceLimits).toMatchObject({ cpu: false, memory: false, pids: false });
    const creation = provider.create(sandboxSpec({ resources: { memoryBytes: MEBIBYTE } }));
    await expect(creation).rejects.toMatchObject({
      code: 'UNSUPPORTED',
      message: expect.stringContaining('resources.memoryBytes'),
    });
  });

  it('are kept for an account that is not root where its sessions have a group of its own', async () => {
    const groups = await delegateCgroups('hermes-ssh');
    const { settings } = await startServerProcess([], groups);
    const provider = await openProvider(settings);
    const { capabilities } = await provider.preflight();
    expect(capabilities.resourceLimits).toMatchObject({ cpu: true, memory: true, pids: true });
    const resources = { memoryBytes: 128 * MEBIBYTE, cpus: 1, pids: 100 };
    const sandbox = await openSandbox(provider, { resources });
    const command = { script: HUNGRY };
    expect((await sandbox.exec({ command, timeoutMs: 20_000 })).status).toBe('oom');
    expect(await run(sandbox, 'echo on')).toBe('on\n');
    const outcome = await sandbox.dispose();
    expect(outcome.usage).toMatchObject({ oomKills: 1, exact: true, scope: 'sandbox' });
    for (const group of groups) expect(folders(group)).toEqual([]);
  });

  it('that the kernel does not take are refused, and nothing is left', async () => {
    const provider = await openProvider({ user: 'root' });
    const spec = sandboxSpec({ resources: { pids: -5 } });
    await expect(provider.create(spec)).rejects.toMatchObject({
      code: 'UNSUPPORTED',
      message: expect.stringContaining('resources.pids'),
    });
    // The key is free again.
    expect(await run(await openSandbox(provider, { ...spec, resources: {} }), 'echo in')).toBe(
      'in\n',
    );
  });

  it('bound the number of processes also where nobody asked, for the sake of the host', async () => {
    const sandbox = await openSandbox(await openProvider({ user: 'root' }));
    const [pids = '?'] = (await groupsOf(sandbox)).filter((folder) =>
      existsSync(`${folder}/pids.max`),
    );
    expect(await run(sandbox, `cat ${pids}/pids.max`)).toBe('2048\n');
  });
});

describe.runIf(isExpected('sshd'))('the control groups of a sandbox', { timeout: 60_000 }, () => {
  it('show what belongs to it when nothing else does any more, and go with it', async () => {
    const provider = await openProvider({ user: 'root' });
    const sandbox = await openSandbox(provider);
    const groups = await groupsOf(sandbox);
    expect(groups.length).toBeGreaterThan(0);
    // Without a mark, without a parent of ours, without a supervisor.
    const script = `env -i setsid sh -c 'sleep 1000 & echo $! > hidden' && kill -KILL $PPID; sleep 5`;
    await sandbox.exec({ command: { script }, timeoutMs: 20_000 }).catch(() => undefined);
    await untilGone(sandbox);
    const members = await Promise.all(groups.flatMap(processesIn).map(identifyProcess));
    expect(members.length).toBeGreaterThan(0);
    expect(await sandbox.dispose()).toMatchObject({ exitReason: 'crashed' });
    expect(groups.filter((group) => existsSync(group))).toEqual([]);
    expect(await Promise.all(members.map(isProcessAlive))).not.toContain(true);
  });
});

describe.runIf(isExpected('sshd'))(
  'a sandbox that made groups below its own',
  { timeout: 60_000 },
  () => {
    it('goes with all of them and what runs there', async () => {
      const sandbox = await openSandbox(await openProvider({ user: 'root' }));
      const [group = '?'] = await groupsOf(sandbox);
      const inner = `${group}/outer/inner`;
      const script = `mkdir -p ${inner}; env -i setsid sh -c 'echo $$ > ${inner}/cgroup.procs; exec sleep 1000' > /dev/null 2>&1 &
until grep -q . ${inner}/cgroup.procs; do sleep 0.05; done`;
      await sandbox.exec({ command: { script }, timeoutMs: 20_000, background: 'adopt' });
      const [member = null] = await Promise.all(processesIn(inner).map(identifyProcess));
      expect(await isProcessAlive(member)).toBe(true);
      expect((await sandbox.dispose()).gaps).toEqual([]);
      expect([existsSync(group), await isProcessAlive(member)]).toEqual([false, false]);
    });
  },
);

function folders(group: string): string[] {
  const entries = readdirSync(group, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

function processesIn(group: string): number[] {
  const text = readFileSync(`${group}/cgroup.procs`, 'utf8').trim();
  return text === '' ? [] : text.split('\n').map(Number);
}

async function untilGone({ gone }: Sandbox): Promise<void> {
  while (!gone.aborted) await sleep(50);
}
