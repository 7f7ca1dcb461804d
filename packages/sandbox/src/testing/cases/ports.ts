import { expect } from 'vitest';
import { type Sandbox, SandboxError } from '../../types.ts';
import type { ConformanceCase } from '../conformance-case.ts';
import { has, sh } from './_run.ts';

const port = 18_765;

/** Servers inside, reached from outside. */
export const portCases: readonly ConformanceCase[] = [
  {
    group: 'ports',
    name: 'a server in the sandbox can be reached at its exposed address',
    needs: ['shell', 'ports'],
    run: async ({ open }) => {
      const sandbox = await open({ ports: [port] });
      await serve(sandbox, 'one');
      expect(await fetchExposed(sandbox)).toBe('one\n');
    },
  },
  {
    group: 'ports',
    name: 'two sandboxes serve on the same port without meeting',
    needs: ['shell', 'ports'],
    run: async ({ open }) => {
      const sandboxes = [await open({ ports: [port] }), await open({ ports: [port] })];
      for (const [index, sandbox] of sandboxes.entries()) await serve(sandbox, `server ${index}`);
      expect(await Promise.all(sandboxes.map(fetchExposed))).toEqual(['server 0\n', 'server 1\n']);
    },
  },
];

/** Starts the first web server that the sandbox has. */
async function serve(sandbox: Sandbox, content: string): Promise<void> {
  const servers = [
    ['busybox', `busybox httpd -f -p ${port}`],
    ['python3', `python3 -m http.server ${port}`],
    ['perl', `perl -MSocket -e '${perlServer}'`],
  ] as const;
  for (const [program, command] of servers) {
    if (!(await has(sandbox, program))) continue;
    const script = `mkdir -p www && cd www && echo '${content}' > index.html
${command} >/dev/null 2>&1 </dev/null &`;
    await sh(sandbox, script, { background: 'adopt' });
    return;
  }
  expect.fail('the ports cases need busybox, python3 or perl in the sandbox');
}

const perlServer = `socket(S, PF_INET, SOCK_STREAM, 0); setsockopt(S, SOL_SOCKET, SO_REUSEADDR, 1);
bind(S, sockaddr_in(${port}, INADDR_ANY)); listen(S, 9); while (accept(C, S)) { sysread(C, $_, 9999);
open(F, "index.html"); $t = <F>; syswrite(C, "HTTP/1.0 200 OK\\r\\n\\r\\n$t"); close C }`;

async function fetchExposed(sandbox: Sandbox): Promise<string> {
  if (sandbox.ports === undefined) {
    throw new SandboxError('UNSUPPORTED', 'request', `${sandbox.ref.provider} has no ports`);
  }
  const { url, headers } = await sandbox.ports.expose(port);
  const deadline = AbortSignal.timeout(30_000);
  for (;;) {
    const response = await fetch(url, { headers, signal: deadline }).catch(
      (error: unknown) => error,
    );
    if (response instanceof Response && response.ok) return response.text();
    deadline.throwIfAborted(); // the server may still be starting
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
