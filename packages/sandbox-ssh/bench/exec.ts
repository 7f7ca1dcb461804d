/**
 * Commands and bytes through the supervisor's channel of a warm sandbox over ssh, against the library's own on a connection of the
 * same settings (TCP_NODELAY set). The host is that of TERMINAL_SSH_HOST: eval "$(sh tooling/services/sshd.sh env)".
 */
import { once } from 'node:events';
import { interleave, report, type Timing } from '@hermes/bench';
import type { Command, Sandbox, SandboxProvider } from '@hermes/sandbox';
import type { ClientChannel } from 'ssh2';
import { createSandboxProvider } from '../src/index.ts';
import { parseSshSettings } from '../src/parse-settings.ts';
import { connect, type SshConnection } from '../src/ssh-connection.ts';

const MANY = 100;
const payload = Buffer.alloc(64 * 1024 * 1024, 0x61);

const settings = parseSshSettings({});
const connection = await connect(settings.hops ?? [], settings);
const provider = await createSandboxProvider(
  {},
  { openProvider: () => Promise.reject(new Error('not used')) },
);
try {
  await using sandbox = await open(provider);
  const commands = await measureCommands(sandbox, connection);
  const bytes = await measureBytes(sandbox, connection);
  const alone = await medianOfExecs(sandbox);
  const crowded = await amongMany(provider, () => medianOfExecs(sandbox));
  await report(
    import.meta.url,
    [
      {
        name: "exec of /bin/true / the library's exec of it on a warm connection",
        value: medianOf(commands, 'exec') / medianOf(commands, 'library exec'),
        bound: 1.5,
      },
      {
        name: '64 MiB up, throughput / cat > FILE',
        value: medianOf(bytes, 'cat up') / medianOf(bytes, 'up'),
        bound: 0.5,
        direction: 'at_least',
      },
      {
        name: '64 MiB down into memory, throughput / cat FILE into memory',
        value: medianOf(bytes, 'cat down') / medianOf(bytes, 'down'),
        bound: 0.5,
        direction: 'at_least',
      },
      {
        name: '64 MiB streamed down, throughput / cat FILE',
        value: medianOf(bytes, 'cat stream') / medianOf(bytes, 'stream'),
        bound: 0.5,
        direction: 'at_least',
      },
      { name: `exec with ${MANY} sandboxes open / with one`, value: crowded / alone, bound: 1.2 },
    ],
    { commands, bytes, alone, crowded },
  );
} finally {
  await provider.close();
  connection.close();
}

function open(from: SandboxProvider, name = 'first'): Promise<Sandbox> {
  const idempotencyKey = `bench-${process.pid}-${name}`;
  return from.create({ lifetimeMs: 600_000, labels: {}, idempotencyKey });
}

async function measureCommands(sandbox: Sandbox, raw: SshConnection) {
  const held = await raw.exec('exec sh');
  const heldTrue = async () => {
    held.write('/bin/true; echo\n');
    const [answer] = await once(held, 'data');
    return answer;
  };
  const libraryExec = async () => {
    const channel = await raw.exec('/bin/true');
    channel.resume().stderr.resume();
    return once(channel, 'close');
  };
  const timings = await interleave(
    [
      { name: 'library exec', run: libraryExec },
      { name: 'held sh', run: heldTrue },
      { name: 'exec', run: () => exec(sandbox, { argv: ['/bin/true'] }) },
      { name: 'exec script', run: () => exec(sandbox, { script: 'true', shell: 'bash' }) },
    ],
    300,
  );
  held.destroy();
  return timings;
}

function exec(sandbox: Sandbox, command: Command) {
  return sandbox.exec({ command, timeoutMs: 10_000 });
}

function measureBytes(sandbox: Sandbox, raw: SshConnection) {
  const file = `${sandbox.info.workdir}/cat`;
  return interleave(
    [
      { name: 'cat up', run: async () => bytesThrough(await raw.exec(`cat > ${file}`), payload) },
      { name: 'up', run: () => sandbox.files.write('payload', payload) },
      { name: 'cat down', run: async () => allOf(await raw.exec(`cat ${file}`)) },
      { name: 'down', run: () => sandbox.files.read('payload') },
      { name: 'cat stream', run: async () => bytesThrough(await raw.exec(`cat ${file}`)) },
      { name: 'stream', run: () => streamed(sandbox) },
    ],
    8,
  );
}

/** Writes the bytes, reads all that comes, and says how many these were. */
async function bytesThrough(channel: ClientChannel, bytes?: Uint8Array): Promise<number> {
  let total = 0;
  channel.on('data', (chunk: Buffer) => {
    total += chunk.length;
  });
  channel.stderr.resume();
  channel.end(bytes);
  await once(channel, 'close');
  return total;
}

/** All that comes, in one piece. */
async function allOf(channel: ClientChannel): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  channel.on('data', (chunk: Buffer) => chunks.push(chunk));
  channel.stderr.resume();
  channel.end();
  await once(channel, 'close');
  return Buffer.concat(chunks);
}

/** Reads the payload as a stream, and says how many bytes these were. */
async function streamed(sandbox: Sandbox): Promise<number> {
  const stream = await sandbox.files.readStream('payload');
  if (!stream.ok) throw new Error(`the payload: ${stream.code}`);
  let total = 0;
  for await (const chunk of stream.value) total += chunk.length;
  return total;
}

/** The best of some medians: load comes and goes between the two that are compared. */
async function medianOfExecs(sandbox: Sandbox): Promise<number> {
  const run = () => exec(sandbox, { argv: ['/bin/true'] });
  let best = Number.POSITIVE_INFINITY;
  for (let batch = 0; batch < 10; batch += 1)
    best = Math.min(best, medianOf(await interleave([{ name: 'exec', run }], 50), 'exec'));
  return best;
}

/** Opens the others a few at a time, as a run does. */
async function amongMany<T>(from: SandboxProvider, work: () => Promise<T>): Promise<T> {
  const others: Sandbox[] = [];
  while (others.length < MANY - 1) {
    const next = Array.from({ length: 9 }, (_, index) => open(from, `${others.length + index}`));
    others.push(...(await Promise.all(next)));
  }
  try {
    return await work();
  } finally {
    for (const other of others) await other.dispose();
  }
}

function medianOf(timings: Readonly<Record<string, Timing>>, name: string): number {
  const timing = timings[name];
  if (timing === undefined) throw new Error(`${name} was not measured`);
  return timing.medianMs;
}
