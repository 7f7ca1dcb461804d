import { createServer } from 'node:http';
import { networkInterfaces } from 'node:os';
import { expect } from 'vitest';
import type { Sandbox } from '../../types.ts';
import type { CaseContext, ConformanceCase } from '../conformance-case.ts';
import { beside, fileCodeOf, okValue, output, sh } from './_run.ts';

const mebibyte = 1024 * 1024;
/** `tail` keeps what it is given, having met no line end: a program that wants a gibibyte. */
const hungry = 'head -c 1073741824 /dev/zero | tail > /dev/null';

/** Limits and policies: enforced or refused at creation, never ignored. */
export const limitCases: readonly ConformanceCase[] = [
  {
    group: 'limits',
    name: 'memory: a command that wants more than the limit ends as oom, and the sandbox goes on',
    needs: ['shell', 'resourceLimits.memory'],
    run: async ({ open }) => {
      const sandbox = await open({ resources: { memoryBytes: 128 * mebibyte } });
      const result = await sh(sandbox, `exec tail < /dev/zero > /dev/null`);
      expect(result.status).toBe('oom');
      expect(await output(sandbox, 'echo on')).toBe('on\n');
    },
  },
  {
    group: 'limits',
    name: 'memory: a child that dies of the limit is oom too',
    needs: ['shell', 'resourceLimits.memory'],
    run: async ({ open }) => {
      const sandbox = await open({ resources: { memoryBytes: 128 * mebibyte } });
      expect((await sh(sandbox, hungry)).status).toBe('oom');
    },
  },
  {
    group: 'limits',
    name: 'pids: forks beyond the limit fail, and the sandbox goes on',
    needs: ['shell', 'resourceLimits.pids'],
    run: async ({ open }) => {
      const sandbox = await open({ resources: { pids: 64 } });
      const script = 'i=0; while [ $i -lt 200 ]; do sleep 20 & i=$((i + 1)); done; echo all; wait';
      const result = await sh(sandbox, script, { timeoutMs: 15_000 });
      expect(result.stdout.text()).not.toContain('all');
      expect(result.stderr.totalBytes).toBeGreaterThan(0);
      expect(await output(sandbox, 'echo on')).toBe('on\n');
    },
  },
  {
    group: 'limits',
    name: 'pids: with the limit used up the sandbox still answers, and is free again after the command',
    needs: ['shell', 'resourceLimits.pids'],
    run: async ({ open }) => {
      const sandbox = await open({ resources: { pids: 64 } });
      okValue(await sandbox.files.write('kept', new Uint8Array(mebibyte)));
      // A shell that may not fork ends, which frees one place more.
      const fill = '(while :; do sleep 30 & done) 2>/dev/null; sleep 30 & : > full; exec sleep 30';
      const full = beside(sh(sandbox, fill, { timeoutMs: 5000 }));
      while (!(await sandbox.files.read('full')).ok)
        await new Promise((done) => setTimeout(done, 50));
      const reads = Array.from({ length: 30 }, () => sandbox.files.read('kept'));
      for (const read of await Promise.all(reads)) okValue(read);
      expect((await full).status).toBe('timeout');
      expect(await output(sandbox, 'echo on')).toBe('on\n');
    },
  },
  {
    group: 'limits',
    name: 'disk: a write beyond the limit is NO_SPACE',
    needs: ['resourceLimits.disk'],
    run: async ({ open }) => {
      const sandbox = await open({ resources: { diskBytes: 32 * mebibyte } });
      const written = await sandbox.files.write('big', new Uint8Array(64 * mebibyte));
      expect(fileCodeOf(written)).toBe('NO_SPACE');
      expect(fileCodeOf(await sandbox.files.read('big'))).toBe('FILE_NOT_FOUND');
    },
  },
  {
    group: 'limits',
    name: 'cpu: half a processor does half the work of one',
    needs: ['shell', 'resourceLimits.cpu'],
    run: async ({ open }) => {
      const sandbox = await open({ resources: { cpus: 0.5 } });
      // Two loops want two processors; `times` says in its last line what all children got.
      const loop = '(while :; do :; done)';
      const script = `${loop} & a=$!; ${loop} & b=$!; sleep 4; kill $a $b; wait 2>/dev/null; times`;
      const { stdout, timing } = await sh(sandbox, script);
      const gotSeconds = childSeconds(stdout.text());
      const fairSeconds = (timing.wallMs / 1000) * 0.5;
      expect(gotSeconds).toBeLessThan(fairSeconds * 1.3 + 0.2);
      expect(gotSeconds).toBeGreaterThan(0);
    },
  },
  {
    group: 'limits',
    name: 'under best effort the limits that cannot be kept are named',
    needs: [],
    run: async ({ open, capabilities }) => {
      const asked = { cpus: 1, memoryBytes: 512 * mebibyte, pids: 512, diskBytes: 512 * mebibyte };
      const { info } = await open({ resources: { ...asked, enforce: 'best_effort' } });
      const lacking = Object.values(capabilities.resourceLimits).filter((kept) => !kept).length;
      expect(info.unmetLimits).toHaveLength(lacking);
    },
  },
  {
    group: 'limits',
    name: 'network none: nothing but the loopback is there',
    needs: ['shell', 'networkNone'],
    run: async ({ open }) => {
      const sandbox = await open({ network: { mode: 'none' } });
      const devices = await output(sandbox, `tail -n +3 /proc/net/dev | cut -d: -f1`);
      // Kernels add tunnels without an address (tunl0, sit0): what counts is that no route leaves.
      expect(devices).toContain('lo');
      expect((await output(sandbox, 'tail -n +2 /proc/net/route')).trim()).toBe('');
    },
  },
  {
    group: 'limits',
    name: 'network allow-list: a host that is not on it cannot be reached',
    needs: ['shell', 'networkAllowlist'],
    run: expectUnlistedHostUnreachable,
  },
  {
    group: 'limits',
    name: 'a graphics processor is there when asked for',
    needs: ['shell', 'gpu'],
    run: async ({ open }) => {
      const sandbox = await open({ resources: { gpus: '1' } });
      await output(sandbox, 'ls /dev/nvidia0 /dev/dri /dev/kfd 2>/dev/null | grep .');
    },
  },
  {
    group: 'limits',
    name: 'another user as the default is honoured',
    needs: ['shell', 'users'],
    run: async ({ open }) => {
      const sandbox = await open({ user: 'nobody' });
      expect(await output(sandbox, 'id -un')).toBe('nobody\n');
    },
  },
  {
    group: 'limits',
    name: 'an isolated sandbox does not see the processes of this machine, and the others say so',
    needs: ['shell'],
    proves: ['isolation'],
    run: async ({ sandbox, capabilities }) => {
      const isSeen = (await commandLines(sandbox)).includes(`hermes-kit-${process.pid}`);
      expect(sandbox.info.isolation).toBe(capabilities.isolation);
      expect(isSeen && capabilities.isolation !== 'none').toBe(false);
    },
  },
];

/** The command lines of all processes that can be seen, while this one has a name like no other. */
async function commandLines(sandbox: Sandbox): Promise<string> {
  const before = process.title;
  process.title = `hermes-kit-${process.pid}`;
  try {
    const script = `cat /proc/[0-9]*/cmdline /proc/[0-9]*/comm 2>/dev/null | tr '\\0' ' '; true`;
    return await output(sandbox, script);
  } finally {
    process.title = before;
  }
}

function childSeconds(times: string): number {
  const lastLine = times.trim().split('\n').at(-1) ?? '';
  const parts = [...lastLine.matchAll(/(\d+)m([\d.]+)s/g)];
  return parts.reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds),
    0,
  );
}

async function expectUnlistedHostUnreachable({ open }: CaseContext): Promise<void> {
  const sandbox = await open({ network: { mode: 'allowlist', hosts: ['allowed.example.org'] } });
  let reached = 0;
  const server = createServer((_, response) => {
    reached += 1;
    response.end('reached');
  });
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  try {
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const url = `http://${ownAddress()}:${port}/`;
    await sh(sandbox, `wget -qO- -T 3 ${url} || curl -sm 3 ${url} || exec 3<>/dev/tcp/x/1`);
    expect(reached).toBe(0);
  } finally {
    server.close();
  }
}

function ownAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1';
}
