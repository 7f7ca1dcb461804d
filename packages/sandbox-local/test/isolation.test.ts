import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Sandbox, SandboxSpec } from '@hermes/sandbox';
import { isExpected } from '@hermes/vitest-config/services';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from './_folders.ts';
import { openProvider, openSandbox, run, sandboxSpec } from './_provider.ts';

const openIsolated = async (spec?: Partial<SandboxSpec>): Promise<Sandbox> =>
  openSandbox(await openProvider({ isolation: 'bubblewrap' }), spec);

describe.runIf(isExpected('bubblewrap'))('the host, seen from a bubblewrap sandbox', () => {
  it('shows none of its files beside the system folders', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'secret'), 'of the host');
    const sandbox = await openIsolated();
    expect(await run(sandbox, `cat ${folder}/secret; ls ${process.cwd()}`)).not.toContain(
      'of the host',
    );
    const top =
      'app bin dev etc lib lib32 lib64 libx32 logs proc root home run sbin solution tests tmp usr var workspace';
    const seen = (await run(sandbox, 'ls /')).trim().split('\n');
    expect(seen.filter((name) => !top.split(' ').includes(name))).toEqual([]);
    expect(
      await run(
        sandbox,
        'ls -A /root /home /tmp /app /tests /logs /solution 2>/dev/null | grep -v :',
      ),
    ).not.toMatch(/\w/);
  });

  it('keeps its password and key files, and the driver’s own records', async () => {
    const sandbox = await openIsolated();
    const secrets = '/etc/shadow /etc/gshadow /etc/ssh /etc/sudoers.d /etc/ssl/private';
    expect(
      await run(sandbox, `for path in ${secrets}; do [ ! -e $path ] || echo $path; done`),
    ).toBe('');
    expect(await run(sandbox, 'find / -xdev -name ref.json 2>/dev/null')).toBe('');
  });

  it('keeps the supervisor out of reach of the commands that it runs', async () => {
    const sandbox = await openIsolated();
    const opened = [
      'for path in mem environ maps fd/0 fd/1; do if (exec 9</proc/1/$path) 2>/dev/null; then echo read $path; fi; done',
      'for path in mem fd/0 fd/1; do if (exec 9>/proc/1/$path) 2>/dev/null; then echo wrote $path; fi; done',
      'kill -STOP 1; kill -KILL 1; echo over',
    ];
    expect(await run(sandbox, opened.join('\n'))).toBe('over\n');
    expect(await run(sandbox, 'echo alive')).toBe('alive\n');
  });

  it('a later channel does not go to a socket that a command put in place of the supervisor’s', async () => {
    const settings = { isolation: 'bubblewrap', rootDir: await temporaryFolder() } as const;
    const provider = await openProvider(settings);
    const sandbox = await provider.create(sandboxSpec());
    const script = [
      'rm /run/hermes/sock; cd /run',
      'setsid ./hermes-supervisor serve --state /run/hermes < /dev/null > /dev/null 2>&1 &',
      'until [ -S hermes/sock ]; do sleep 0.02; done',
    ].join('\n');
    await sandbox.exec({ command: { script }, background: 'adopt', timeoutMs: 20_000 });
    await provider.close();
    const other = await openProvider(settings);
    const error = await other.attach(sandbox.ref).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'AUTH' });
    await other.destroy(sandbox.ref);
  });

  it('cannot be changed through kernel settings or system folders', async () => {
    const sandbox = await openIsolated();
    const targets =
      '/proc/sys/kernel/core_pattern /proc/sysrq-trigger /usr/planted /etc/passwd /dev/planted';
    const script = `for path in ${targets}; do if (exec 9>>$path) 2>/dev/null; then echo opened $path; fi; done`;
    expect(await run(sandbox, script)).toBe('');
    expect(
      await run(sandbox, 'grep -E "^Cap(Prm|Eff|Bnd)" /proc/self/status | cut -f2 | sort -u'),
    ).toBe('0000000000000000\n');
  });

  it('shows no process but the sandbox’s own', async () => {
    const sandbox = await openIsolated();
    const names = await run(sandbox, 'cat /proc/[0-9]*/comm');
    expect(names).not.toContain('node');
    expect(names.trim().split('\n').length).toBeLessThan(8);
  });

  it('cannot be reached by network unless that is asked for', async () => {
    const port = await listen();
    const connect = `(exec 3<>/dev/tcp/127.0.0.1/${port}) 2>/dev/null && echo connected || echo refused`;
    expect(await run(await openIsolated(), connect)).toBe('refused\n');
    expect(await run(await openIsolated({ network: { mode: 'none' } }), connect)).toBe('refused\n');
    expect(await run(await openIsolated({ network: { mode: 'open' } }), connect)).toBe(
      'connected\n',
    );
  });
});

describe.runIf(isExpected('bubblewrap'))('a bubblewrap sandbox', () => {
  it('has places of its own that no other sandbox and not the host sees', async () => {
    const [one, other] = [await openIsolated(), await openIsolated({ workdir: '/app' })];
    const places = '/app /tests /logs /solution /tmp /var/tmp /workspace "$HOME"';
    const mark = `hermes-${process.pid}`;
    expect(
      await run(
        one,
        `for place in ${places}; do echo x > "$place/${mark}" || echo no $place; done`,
      ),
    ).toBe('');
    expect(await run(other, `find / -xdev -name ${mark} 2>/dev/null; pwd`)).toBe('/app\n');
    expect(existsSync(`/tmp/${mark}`) || existsSync(`/app/${mark}`)).toBe(false);
  });

  it('survives a process that kills everything it can', async () => {
    const sandbox = await openIsolated();
    await run(sandbox, 'kill -9 1; kill -9 -1');
    expect(await run(sandbox, 'echo alive')).toBe('alive\n');
  });

  it('ends a write beyond the disk limit, wherever it goes', async () => {
    const sandbox = await openIsolated({ resources: { diskBytes: 16 << 20, shmBytes: 1 << 20 } });
    for (const place of ['/workspace', '/tmp', '/run/hermes', '/dev/shm']) {
      const output = await run(
        sandbox,
        `dd if=/dev/zero of=${place}/big bs=1M count=40; rm ${place}/big`,
      );
      expect(output, place).toContain('No space left on device');
    }
  });

  it('has a root that cannot be written, where asked, and keeps its private places writable', async () => {
    const sandbox = await openIsolated({ readonlyRoot: true });
    expect(await run(sandbox, 'touch /planted')).toContain('Read-only file system');
    expect(await run(sandbox, 'touch /app/x /tmp/x x && echo written')).toBe('written\n');
  });

  it('shows a mounted folder, read-only where asked', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'data'), 'shared');
    const mounts = [{ source: folder, target: '/data', readOnly: true }];
    const sandbox = await openIsolated({ mounts });
    expect(await run(sandbox, 'cat /data/data; touch /data/x')).toMatch(/^shared.*Read-only/s);
  });

  it('gives its processes a clean environment', async () => {
    process.env.HERMES_TEST_SECRET = 'of the harness';
    onTestFinished(() => void delete process.env.HERMES_TEST_SECRET);
    const sandbox = await openIsolated({ env: { COLOUR: 'blue' } });
    const environment = await run(sandbox, 'env; cat /proc/1/environ 2>/dev/null | tr "\\0" "\\n"');
    expect(environment).not.toContain('of the harness');
    expect(environment).toContain('COLOUR=blue');
  });
});

async function listen(): Promise<number> {
  const server = createServer((socket) => socket.end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
