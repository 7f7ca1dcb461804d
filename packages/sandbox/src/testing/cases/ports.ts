import { expect } from 'vitest';
import { type Sandbox, SandboxError } from '../../types.ts';
import type { ConformanceCase } from '../conformance-case.ts';
import { codeOf } from '../run-case.ts';
import { has, sh } from './_run.ts';

const port = 18_765;
const tryMs = 2_000;

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
    proves: ['sharedPorts'],
    run: async ({ open, capabilities }) => {
      const first = await open({ ports: [port] });
      const opening = open({ ports: [port] });
      if (capabilities.sharedPorts === true)
        return expect(await opening.then(() => null, codeOf)).toBe('UNSUPPORTED');
      const sandboxes = [first, await opening];
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
    // A proxy may take the connection before the server is there; such a request may never end by itself.
    const signal = AbortSignal.any([deadline, AbortSignal.timeout(tryMs)]);
    const response = await fetch(url, { headers, signal }).catch((error: unknown) => error);
    if (response instanceof Response && response.ok) return response.text();
    deadline.throwIfAborted(); // the server may still be starting
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
