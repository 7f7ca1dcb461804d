import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { exitCodes, runCli } from '../src/index.ts';
import { type Backend, expectedBackends } from './_backends.ts';
import { hermes, inFolder } from './_run.ts';

const LONG_MS = 120_000;

describe.each(expectedBackends())('hermes sandbox, with $name', ({ name, variables }) => {
  const withCommand = (flags: readonly string[], command: readonly string[], stdin = '') =>
    hermes(['sandbox', 'run', '--sandbox', name, ...flags, '--', ...command], {
      environmentVariables: variables,
      stdin: Readable.from([Buffer.from(stdin)]),
    });

  it('runs one command, with its output, its input and how it ended', {
    timeout: LONG_MS,
  }, async () => {
    const good = await withCommand(['-i'], ['sh', '-c', 'cat; echo é >&2'], 'in');
    expect(good).toEqual({ code: exitCodes.ran, stdout: 'in', stderr: 'é\n' });
    const bad = await withCommand(['--json'], ['sh', '-c', 'echo out; exit 3']);
    expect(bad).toMatchObject({
      code: exitCodes.runFailed,
      stderr: 'hermes: the command ended with exit code 3\n',
    });
    const { result } = JSON.parse(bad.stdout) as { result: object };
    expect(result).toMatchObject({ status: 'exited', exitCode: 3, stdout: 'out\n' });
    const slow = await withCommand(['--timeout', '0.2'], ['sleep', '60']);
    expect(slow.stderr).toContain('the command ended: timeout');
  });
});

/** One that isolates nothing and one that does. */
const served: readonly Backend[] = expectedBackends().filter(({ name }) =>
  /^(host|docker)$/.test(name),
);

describe.each(served)('hermes sandbox serve, with $name', ({ name, variables }) => {
  it(
    'gives slots to those who bear the token, and takes its sandboxes along',
    () =>
      inFolder(async (folder) => {
        await writeFile(join(folder, 'token'), 'secret-word\n', { mode: 0o600 });
        const end = new AbortController();
        const stdout = new PassThrough();
        const argv = [
          'sandbox',
          'serve',
          '--provider',
          name,
          '--token-file',
          'token',
          '--port',
          '0',
        ];
        const serving = runCli([...argv, '--slots', '2', '--insecure-no-sandbox'], {
          workingDirectory: folder,
          environmentVariables: variables,
          stdout: { write: (text) => void stdout.write(text), isTerminal: false, columns: 80 },
          stderr: { write: () => undefined, isTerminal: false, columns: 80 },
          signal: end.signal,
        });
        const [line] = (await once(stdout, 'data')) as [Buffer];
        const url = line.toString().trim();
        const ask = (token: string) =>
          fetch(`${url}/execute`, {
            method: 'POST',
            headers: { authorization: `Bearer ${token}` },
            body: JSON.stringify({ slot_id: 'slot_1', tool: 'bash', args: { command: 'echo hi' } }),
          });
        const slots = async () =>
          JSON.parse(
            (
              await hermes([
                'sandbox',
                'ls',
                '-s',
                name,
                '-l',
                `hermes.owner.pid=${process.pid}`,
                '--json',
              ])
            ).stdout,
          ) as readonly { labels: Record<string, string> }[];
        expect((await ask('other')).status).toBe(401);
        expect(await (await ask('secret-word')).json()).toMatchObject({ output: 'hi\n' });
        expect(await slots()).toMatchObject([{ labels: { 'hermes.trajectory': 'slot_1' } }]);
        end.abort();
        expect(await serving).toBe(exitCodes.interrupted);
        expect(await slots()).toEqual([]);
      }),
    LONG_MS,
  );
});

describe('hermes sandbox serve', () => {
  it.each([
    [[], /--token-file is needed: a file with the token/],
    [['--token-file', 'nowhere'], /--token-file nowhere: ENOENT/],
    [['--token-file', 'empty'], /give a token/],
    [['--token-file', 'token'], /isolates nothing here.*--insecure-no-sandbox/],
  ])('%j is refused', (flags, message) =>
    inFolder(async (folder) => {
      await writeFile(join(folder, 'empty'), '\n', { mode: 0o600 });
      await writeFile(join(folder, 'token'), 'secret', { mode: 0o600 });
      const argv = ['sandbox', 'serve', '--sandbox', 'host', '--port', '0', ...flags];
      const ended = await hermes(argv, { workingDirectory: folder });
      expect(ended.code).toBe(exitCodes.wrongUsage);
      expect(ended.stderr).toMatch(message);
    }),
  );
});

describe('hermes sandbox', () => {
  it('looks at every provider that works here, and says which do not', async () => {
    const environmentVariables = { TERMINAL_SSH_PORT: 'many' };
    const ended = await hermes(['sandbox', 'ls', '--label', 'test=nobody'], {
      environmentVariables,
    });
    expect(ended).toMatchObject({ code: exitCodes.ran, stdout: 'no sandboxes of this user\n' });
    expect(ended.stderr).toMatch(
      /note: not looked at: .*ssh \(TERMINAL_SSH_PORT: "many" is no number/,
    );
  });

  it.each([
    [['rm'], /name a sandbox/],
    [['run', '--network', 'some'], /--network some: say none or open/],
    [['run', '--image', 'a', '--build', 'b'], /exclude each other/],
    [['ls', '--label', 'x'], /write key=value/],
    [['run', '--sandbox', 'host', '--image', 'debian', '--', 'true'], /image/],
  ])('%j is refused', async (argv, message) => {
    const ended = await hermes(['sandbox', ...argv]);
    expect(ended.code).toBe(exitCodes.wrongUsage);
    expect(ended.stderr).toMatch(message);
  });
});
