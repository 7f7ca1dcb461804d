// A harness that is killed in the middle: opens a sandbox, starts stubborn processes in it, says so, and hangs.
import { createSandboxProvider } from '../src/index.ts';
import { serverSettings } from './_server.ts';

const [rootDir = '', supervisor = 'go', user = 'hermes-ssh', ...times] = process.argv.slice(2);
const [lifetimeMs = '600000', orphanMs = '600000'] = times;

/** A daemon in its own session that ignores TERM, an orphan, a plain child, and a tree without any access right. */
const STUBBORN = `
mkdir -p closed/deep && echo x > closed/deep/file && chmod 0 closed/deep closed
( setsid sh -c 'trap "" TERM HUP INT; (while :; do sleep 1000; done) & (sleep 1000 &) ; wait' > /dev/null 2>&1 & )
sleep 1000 &
echo ready
wait`;

const provider = await createSandboxProvider(
  { ...serverSettings(), rootDir, supervisor, user, orphanMs: Number(orphanMs) },
  { openProvider: () => Promise.reject(new Error('no other provider is opened')) },
);
const sandbox = await provider.create({
  lifetimeMs: Number(lifetimeMs),
  labels: { 'hermes.run': 'leak-test' },
  idempotencyKey: `leak-${process.pid}`,
});
await sandbox.exec({
  command: { script: STUBBORN },
  timeoutMs: 600_000,
  onData: (chunk) => process.stdout.write(`${sandbox.ref.id} ${Buffer.from(chunk).toString()}`),
});
