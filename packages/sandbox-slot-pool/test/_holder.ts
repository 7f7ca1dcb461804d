// A harness that will be killed: leases a slot of a pool, leaves stubborn processes in it, says so, and hangs.
import { onDocker, onSsh, openPool } from './_inner.ts';

const [inner = '', run = '', marker = '', lifetimeMs = ''] = process.argv.slice(2);

const STUBBORN = `
(setsid sh -c 'trap "" TERM HUP INT; while :; do sleep ${marker}; done' > /dev/null 2>&1 < /dev/null &)
sleep ${marker} &
echo ready; wait`;

const pool = await openPool({ inner: inner === 'ssh' ? onSsh() : onDocker, slotsPerSandbox: 2 });
const lease = (idempotencyKey: string) =>
  pool.create({
    ...{ lifetimeMs: Number(lifetimeMs), idempotencyKey },
    labels: { 'hermes.run': run },
  });
// Then there is also a slot that waits for nobody.
await (await lease('first')).dispose();
const slot = await lease('second');
await slot.exec({
  command: { script: STUBBORN },
  timeoutMs: 600_000,
  onData: (chunk) => process.stdout.write(chunk),
});
