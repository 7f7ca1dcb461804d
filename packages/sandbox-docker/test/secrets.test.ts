import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { Logger } from '@hermes/protocol';
import type { Sandbox, SandboxProvider } from '@hermes/sandbox';
import { isExpected } from '@hermes/vitest-config/services';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { create, docker, openProvider, output } from './_docker.ts';

describe.runIf(isExpected('docker'))('a secret of a sandbox', { timeout: 60_000 }, () => {
  const secret = `secret-${randomUUID()}`;
  const plain = `plain-${randomUUID()}`;
  const logged: unknown[] = [];
  const logger: Logger = { log: (...words) => void logged.push(words) };
  let provider: SandboxProvider;
  let sandbox: Sandbox;
  beforeAll(async () => {
    provider = await openProvider({}, { logger });
    sandbox = await create(provider, { secrets: { TOKEN: secret }, env: { PLAIN: plain } });
  });
  afterAll(async () => {
    await sandbox.dispose();
    await provider.close();
  });

  const withSecret = (script: string) =>
    ({ command: { script, shell: 'sh' }, secrets: ['TOKEN'], timeoutMs: 30_000 }) as const;

  it('is in the environment of the commands that ask for it, and of no others', async () => {
    const shown = await sandbox.exec(withSecret('echo "$TOKEN $PLAIN"'));
    expect(shown.stdout.text()).toBe(`${secret} ${plain}\n`);
    expect(await output(sandbox, 'echo "$TOKEN"; env')).not.toContain(secret);
  });

  it('is in nothing that the daemon tells of the container', async () => {
    const container = docker.getContainer(sandbox.ref.id);
    const listed = await docker.listContainers({ filters: { id: [sandbox.ref.id] } });
    const told = JSON.stringify([await container.inspect(), listed]);
    expect(told).toContain(sandbox.ref.id);
    expect(told).not.toContain(secret);
    expect(told).not.toContain(plain);
  });

  it('is in no command line of this machine while a command has it', async () => {
    const process = await sandbox.spawn(withSecret('echo begun; sleep 1000'));
    for await (const chunk of process.stdout) if (chunk.length > 0) break;
    const lines = await commandLines();
    await process.kill();
    expect(lines).toContain('sleep 1000');
    expect(lines).not.toContain(secret);
  });

  it('is in no error, no log and no written form of the sandbox', async () => {
    const wrong = { ...withSecret('true'), cwd: '/nowhere' };
    const results = [await sandbox.exec(wrong), await sandbox.exec(withSecret('exit 3'))];
    const unknown = { ...withSecret('true'), secrets: ['TOKEN', 'NONE'] };
    const error = await sandbox.exec(unknown).catch((cause: Error) => cause.stack);
    expect(error).toContain('NONE');
    const written = JSON.stringify([results, error, logged, sandbox.ref, sandbox.info, sandbox]);
    expect(written).not.toContain(secret);
  });

  it('is in no snapshot, neither in its settings nor in its files', async () => {
    await sandbox.exec(withSecret('test -n "$TOKEN" && echo made > /made'));
    const session = await sandbox.session();
    expect((await session.exec(withSecret('echo "$TOKEN"'))).stdout.text()).toBe(`${secret}\n`);
    const image = await sandbox.snapshot?.(`secrets-${randomUUID()}`);
    const id = image?.kind === 'snapshot' ? image.id : '';
    try {
      const settings = [await docker.getImage(id).inspect(), await docker.getImage(id).history()];
      expect(JSON.stringify(settings)).not.toContain(secret);
      await using copy = await create(provider, image === undefined ? {} : { image });
      // Cut in two, so that the script does not find itself.
      const cut = secret.replace('secret-', 'secret-""');
      const search = `cat /made; grep -rl ${cut} / --exclude-dir=proc --exclude-dir=sys; true`;
      expect(await output(copy, search)).toBe('made\n');
      expect(await output(sandbox, search)).toBe('made\n');
    } finally {
      await docker.getImage(id).remove({ force: true });
    }
  });
});

async function commandLines(): Promise<string> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const read = (pid: string) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''); // gone
  return (await Promise.all(pids.map(read))).join('\n').replaceAll('\0', ' ');
}
