import { strict as assert } from 'node:assert';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createTrajectoryClient } from '@hermes/atropos';
import { freePort } from '@hermes/atropos/testing';
import { createEffects } from '@hermes/env-core';
import type { Proof, ProofOptions } from '../proof.ts';
import {
  type Books,
  drain,
  joinAsEnvironment,
  registerTrainer,
  sendUntilGone,
  takeUntilGone,
} from './trajectory-load.ts';

const senders = 8;
const longestLifeMs = 600;

/** A batch has two groups, and one trainer has at most one batch under way. */
const mostRepeatedPerKill = 2;

export const trajectoryServer: Proof = {
  name: 'trajectory-server',
  claim:
    `A trajectory server under the load of ${senders} senders and a trainer is killed with SIGKILL at random moments and started again. ` +
    'Every group that it acknowledged reaches the trainer; only the batch that was under way at a kill may come twice.',
  fullCount: 50,
  shareCount: 3,
  async run({ seed, count, say }: ProofOptions) {
    const { random } = createEffects({}, seed);
    const directory = await mkdtemp(join(tmpdir(), 'hermes-prove-'));
    const books: Books = { nextMark: 1, acknowledged: new Set(), received: new Map() };
    try {
      const port = await freePort();
      for (let moment = 1; moment <= count; moment += 1) {
        const afterMs = Math.round(random.next() * longestLifeMs);
        await loadAndKill(directory, port, books, afterMs);
        say(
          `moment ${moment}/${count}: killed after ${afterMs} ms; ${books.acknowledged.size} groups acknowledged so far, ${books.received.size} received`,
        );
      }
      await takeTheRest(directory, port, books);
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
    return judge(books, count);
  },
};

function judge({ acknowledged, received }: Books, kills: number) {
  const lost = [...acknowledged].filter((mark) => !received.has(mark));
  const repeated = [...received.values()].filter((times) => times > 1).length;
  assert.deepEqual(lost.slice(0, 20), [], `${lost.length} acknowledged groups are lost`);
  assert.ok(acknowledged.size > kills, `only ${acknowledged.size} groups: there was no load`);
  assert.ok(repeated <= mostRepeatedPerKill * kills, `${repeated} groups came twice`);
  return {
    'groups acknowledged': acknowledged.size,
    'acknowledged groups lost': 0,
    'groups received twice': repeated,
  };
}

/** One life of the server. */
async function loadAndKill(
  directory: string,
  port: number,
  books: Books,
  afterMs: number,
): Promise<void> {
  const server = await startServer(directory, port);
  const client = createTrajectoryClient({ baseUrl: `http://127.0.0.1:${port}`, maxTries: 1 });
  try {
    await registerTrainer(client, books);
    const environmentId = await joinAsEnvironment(client);
    const work = [
      takeUntilGone(client.baseUrl, books),
      ...Array.from({ length: senders }, () => sendUntilGone(client, environmentId, books)),
    ];
    await sleep(afterMs);
    await kill(server);
    await Promise.all(work);
  } finally {
    await kill(server);
    client.close();
  }
}

/** One more group may be needed to fill the last batch. */
async function takeTheRest(directory: string, port: number, books: Books): Promise<void> {
  const server = await startServer(directory, port);
  const client = createTrajectoryClient({ baseUrl: `http://127.0.0.1:${port}`, maxTries: 1 });
  try {
    await drain(client.baseUrl, books);
    const environmentId = await joinAsEnvironment(client);
    const sending = sendUntilGone(client, environmentId, { ...books, acknowledged: new Set() });
    await sleep(200);
    await drain(client.baseUrl, books);
    await kill(server);
    await sending;
  } finally {
    await kill(server);
    client.close();
  }
}

async function startServer(directory: string, port: number): Promise<ChildProcess> {
  const main = fileURLToPath(new URL('trajectory-server-process.ts', import.meta.url));
  const args = ['--conditions=@hermes/source', '--import', 'tsx', main, directory, String(port)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ready = once(child.stdout, 'data').then(() => null);
  const ended = once(child, 'exit').then(([code]) => ({ code }));
  const end = await Promise.race([ready, ended]);
  assert.equal(end, null, 'the server ended before it listened');
  return child;
}

async function kill(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  server.kill('SIGKILL');
  await once(server, 'exit');
}
