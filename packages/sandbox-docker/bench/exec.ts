/** Commands, bytes and creation in containers, against the raw calls of the API and a bare `sh` behind one held exec. */
import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { interleave, report, type Timing } from '@hermes/bench';
import type { ByteChannel, Sandbox } from '@hermes/sandbox';
import Dockerode from 'dockerode';
import { createSandboxProvider } from '../src/index.ts';
import { programChannel } from '../src/program-channel.ts';

const image = process.argv[2] ?? 'hermes-test/debian:1';
const COMMANDS = 20;
const payload = new Uint8Array(64 * 1024 * 1024).fill(0x61);
const docker = new Dockerode({ socketPath: '/var/run/docker.sock' });
const provider = await createSandboxProvider(
  { image },
  { openProvider: () => Promise.reject(new Error('not used')) },
);

try {
  await using sandbox = await open();
  const commands = await measureCommands(sandbox);
  const throughput = await measureThroughput(sandbox);
  const beside = await measureBeside(sandbox, 99);
  const bytes = await measureBytes(sandbox);
  const creation = await measureCreation(1, 6);
  const eight = await measureCreation(8, 3);
  const ratio = (timings: Timings, name: string, floor: string) =>
    medianOf(timings, name) / medianOf(timings, floor);
  await report(
    import.meta.url,
    [
      { name: 'exec / a bare held sh', value: ratio(commands, 'exec', 'held sh'), bound: 1.5 },
      {
        name: 'throughput of exec / of the API’s exec',
        value: ratio(throughput, 'API exec', 'exec'),
        bound: 15,
        direction: 'at_least',
      },
      {
        name: 'exec with 100 sandboxes open / with one',
        value: ratio(beside, 'beside', 'alone'),
        bound: 1.2,
      },
      {
        name: 'create / raw create and start',
        value: ratio(creation, 'create', 'raw'),
        bound: 1.15,
      },
      {
        name: 'create, 8 at once / raw, 8 at once',
        value: ratio(eight, 'create', 'raw'),
        bound: 1.15,
      },
      {
        name: '64 MiB up, throughput / cat through the API',
        value: ratio(bytes, 'cat up', 'up'),
        bound: 0.5,
        direction: 'at_least',
      },
      {
        name: '64 MiB down, throughput / cat through the API',
        value: ratio(bytes, 'cat down', 'down'),
        bound: 0.5,
        direction: 'at_least',
      },
    ],
    { image, commands, throughput, beside, bytes, creation, eight },
  );
} finally {
  await provider.close();
}

type Timings = Readonly<Record<string, Timing>>;

function open(): Promise<Sandbox> {
  return provider.create({ lifetimeMs: 900_000, labels: {}, idempotencyKey: randomUUID() });
}

/** A program behind the API's own exec. */
async function apiExec(id: string, argv: readonly string[]): Promise<ByteChannel> {
  const streams = { AttachStdin: true, AttachStdout: true, AttachStderr: true };
  const exec = await docker.getContainer(id).exec({ ...streams, Cmd: [...argv] });
  const connection: Duplex = await exec.start({ hijack: true, stdin: true });
  return programChannel(connection, async () => (await exec.inspect()).ExitCode);
}

async function drain(channel: ByteChannel): Promise<number> {
  let total = 0;
  for await (const chunk of channel.stdout) total += chunk.length;
  await channel.closed;
  return total;
}

/** Warm commands beside a warm shell, without the API's exec between them, which leaves cold caches behind. */
async function measureCommands(sandbox: Sandbox): Promise<Timings> {
  const held = await apiExec(sandbox.ref.id, ['sh']);
  const answers = held.stdout[Symbol.asyncIterator]();
  const runs = [
    { name: 'exec', run: () => runTrue(sandbox) },
    {
      name: 'held sh',
      run: async () => {
        await held.write(Buffer.from('/bin/true; echo x\n'));
        return answers.next();
      },
    },
  ];
  const timings = await interleave(runs, 1500);
  held.destroy();
  return timings;
}

/** The time of many commands, each way's in stretches of its own: what the API leaves to do after an exec is its own. */
async function measureThroughput(sandbox: Sandbox): Promise<Timings> {
  const times = async (count: number, run: () => Promise<unknown>): Promise<number> => {
    for (let done = 0; done < count; done += 1) await run();
    return count;
  };
  const apiRun = async () => drain(await apiExec(sandbox.ref.id, ['/bin/true']));
  const runs = [
    { name: 'exec', run: () => times(COMMANDS, () => runTrue(sandbox)) },
    { name: 'API exec', run: () => times(COMMANDS, apiRun) },
  ];
  return interleave(runs, 5);
}

function runTrue(sandbox: Sandbox): Promise<unknown> {
  return sandbox.exec({ command: { argv: ['/bin/true'] }, timeoutMs: 9000 });
}

/** With many sandboxes open, commands in one of them; and with that one alone. */
async function measureBeside(sandbox: Sandbox, others: number): Promise<Timings> {
  const alone = await interleave([{ name: 'alone', run: () => runTrue(sandbox) }], 200);
  const opened: Sandbox[] = [];
  try {
    while (opened.length < others)
      opened.push(...(await Promise.all(Array.from({ length: 5 }, open))));
    const beside = await interleave([{ name: 'beside', run: () => runTrue(sandbox) }], 200);
    return { ...alone, ...beside };
  } finally {
    await Promise.all(opened.map((one) => one.dispose()));
  }
}

async function measureBytes(sandbox: Sandbox): Promise<Timings> {
  const up = async () => {
    const channel = await apiExec(sandbox.ref.id, ['sh', '-c', 'cat > /tmp/raw']);
    await channel.write(payload);
    await channel.closeWrite();
    return drain(channel);
  };
  const runs = [
    { name: 'cat up', run: up },
    { name: 'up', run: () => sandbox.files.write('/tmp/payload', payload) },
    {
      name: 'cat down',
      run: async () => drain(await apiExec(sandbox.ref.id, ['cat', '/tmp/raw'])),
    },
    { name: 'down', run: () => sandbox.files.read('/tmp/payload') },
  ];
  return interleave(runs, 5);
}

async function measureCreation(atOnce: number, rounds: number): Promise<Timings> {
  const made: (() => Promise<unknown>)[] = [];
  const times = (one: () => Promise<void>) => async () => {
    await Promise.all(Array.from({ length: atOnce }, one));
    return made.length;
  };
  const create = async () => {
    const sandbox = await open();
    made.push(() => sandbox.dispose());
  };
  const raw = async () => {
    const container = await docker.createContainer({
      Image: image,
      Entrypoint: ['sleep', '900'],
      HostConfig: { NetworkMode: 'none', Init: true },
    });
    await container.start();
    made.push(() => container.remove({ force: true }));
  };
  const clean = async () => {
    await Promise.all(made.splice(0).map((remove) => remove()));
  };
  const timings = await interleave(
    [
      { name: 'create', run: times(create) },
      { name: 'raw', run: times(raw) },
    ],
    rounds,
  );
  await clean();
  return timings;
}

function medianOf(timings: Timings, name: string): number {
  const timing = timings[name];
  if (timing === undefined) throw new Error(`${name} was not measured`);
  return timing.medianMs;
}
