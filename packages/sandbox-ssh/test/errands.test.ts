import { execFileSync } from 'node:child_process';
import { isExpected } from '@hermes/vitest-config/services';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Errands } from '../src/errands.ts';
import { parseSshSettings } from '../src/parse-settings.ts';
import { SessionPool } from '../src/session-pool.ts';
import { connect } from '../src/ssh-connection.ts';
import { serverSettings } from './_server.ts';
import { startServer } from './_sshd.ts';

/** Errands on the tests' server, unless the settings say another. */
function openErrands(raw: object = {}): Errands {
  const settings = parseSshSettings({ ...serverSettings(), ...raw });
  const open = () => connect(settings.hops ?? [], settings);
  const pool = new SessionPool({ connect: open, connections: 2, sessionsPerConnection: 5 });
  const errands = new Errands(pool, 10_000);
  onTestFinished(() => errands.close());
  return errands;
}

describe.runIf(isExpected('sshd'))('errands on a host', { timeout: 60_000 }, () => {
  it('give back exactly what a script says, and how it ended', async () => {
    const errands = openErrands({ user: 'hermes-ssh-noisy' });
    const script = `printf '%s|' "$@" "$word"; echo oops >&2; exit 7`;
    const input = { args: ["it's", 'two words', ''], variables: { word: "a\nline's end\n" } };
    expect(await errands.run(script, input)).toEqual({
      exitCode: 7,
      output: "it's|two words||a\nline's end\n|",
      errors: 'oops',
    });
    expect(await errands.run('')).toEqual({ exitCode: 0, output: '', errors: '' });
  });

  it('share a shell one after the other, and leave nothing behind in it', async () => {
    const errands = openErrands();
    const first = await errands.run('cd / && umask 0 && left=1 && echo $$');
    const second = await errands.run('echo $$; pwd; umask; echo "$left"; cat');
    expect(second.output).toBe(`${first.output}${homeOf('hermes-ssh')}\n0022\n\n`);
  });

  it('run side by side, more of them than there are shells', async () => {
    const errands = openErrands();
    const all = Array.from({ length: 20 }, (_, index) => errands.run(`sleep 0.1; echo ${index}`));
    const said = (await Promise.all(all)).map(({ output }) => output);
    expect(said).toEqual(Array.from({ length: 20 }, (_, index) => `${index}\n`));
  });

  it('go on after one whose time was over, whose signal fired, or whose shell was killed', async () => {
    const errands = openErrands();
    await expect(errands.run('sleep 600', { timeoutMs: 200 })).rejects.toMatchObject({
      code: 'TRANSPORT',
      message: expect.stringContaining('it was not done within 200 ms'),
    });
    const signal = AbortSignal.timeout(200);
    await expect(errands.run('sleep 600', { signal })).rejects.toThrow('timeout');
    await expect(errands.run('kill -KILL $$')).rejects.toMatchObject({ code: 'TRANSPORT' });
    expect((await errands.run('echo on')).output).toBe('on\n');
  });

  it('are refused with the reason when there is no way to the host', async () => {
    const errands = openErrands({ port: 1 });
    const both = [errands.run('true'), errands.run('true')];
    for (const one of both) await expect(one).rejects.toThrow('ECONNREFUSED');
  });

  it('make do with the one session that a server gives, also for a script that is fed', async () => {
    const server = await startServer(['MaxSessions 1']);
    const errands = openErrands(server);
    await Promise.all([1, 2, 3, 4, 5].map(() => errands.run('sleep 0.1')));
    const fed = await errands.feed('cat; echo "$1"', ['after'], Buffer.from('bytes\n'));
    expect(fed).toEqual({ exitCode: 0, output: 'bytes\nafter\n', errors: '' });
    expect((await errands.run('echo on')).output).toBe('on\n');
  });
});

function homeOf(user: string): string {
  return String(execFileSync('sh', ['-c', `echo ~${user}`])).trim();
}
