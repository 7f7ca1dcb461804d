/**
 * Groups a second through a trajectory server: sent by 128 senders at once, then taken in batches, until all have gone through. Both servers
 * run as processes of their own and take turns, so that they see the same load; ours with its log on the disk, each group synced before it
 * is acknowledged. The original is `run-api` of atroposlib 0.4.0: HERMES_TEST_PYTHON names a Python that has it.
 *
 * The bound is for the first load, a group as trainers use them (16 sequences); the others show how it goes with smaller ones, where the
 * disk's sync and HTTP itself weigh more. The client sends prepared bytes and reads answers as bytes: making and reading groups is not what is measured.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { report } from '@hermes/bench';
import { type Load, loadBody, pushThrough } from './_push-through.ts';

const rounds = 3;
const loads: readonly Load[] = [
  { name: '16 sequences of 1024 tokens', size: 16, tokens: 1024, groups: 128, senders: 128 },
  { name: '4 sequences of 512 tokens', size: 4, tokens: 512, groups: 640, senders: 128 },
  { name: '4 sequences of 16 tokens', size: 4, tokens: 16, groups: 1280, senders: 128 },
];

const python = process.env.HERMES_TEST_PYTHON ?? 'python3';
const runApi = 'from atroposlib.cli.run_api import main; main()';
const directory = await mkdtemp(join(tmpdir(), 'hermes-bench-'));
const ports = { original: 18_461, ours: 18_462 };
const original = spawn(
  python,
  ['-c', runApi, '--host', '127.0.0.1', '--port', String(ports.original)],
  { stdio: 'ignore' },
);
const server = fileURLToPath(new URL('server.js', import.meta.url));
const ours = spawn(process.execPath, [server, directory, String(ports.ours)], { stdio: 'inherit' });
try {
  const measured = [];
  for (const load of loads) measured.push(await compare(load));
  const [main] = measured;
  await report(
    new URL('../../bench/groups.ts', import.meta.url).href,
    [
      {
        name: `groups a second beside run-api, ${main?.name}`,
        value: main?.ratio ?? 0,
        bound: 10,
        direction: 'at_least',
      },
    ],
    { rounds, measured },
  );
} finally {
  for (const child of [original, ours]) {
    if (child.exitCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  await rm(directory, { recursive: true, force: true });
}

/** The best round of each. */
async function compare(load: Load) {
  const body = loadBody(load);
  const best = { original: 0, ours: 0 };
  for (let round = 0; round < rounds; round += 1)
    for (const who of ['original', 'ours'] as const)
      best[who] = Math.max(best[who], await pushThrough(ports[who], load, body));
  return {
    name: load.name,
    bytes: body.length,
    originalPerSecond: Math.round(best.original),
    oursPerSecond: Math.round(best.ours),
    ratio: best.ours / best.original,
  };
}
