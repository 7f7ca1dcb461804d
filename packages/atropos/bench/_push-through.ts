import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** What goes through a server: groups of one size, sent by so many at once. */
export type Load = Readonly<{
  name: string;
  size: number;
  tokens: number;
  groups: number;
  senders: number;
}>;

const batchSize = 64;

/** A group as an environment sends it: a quarter is context, log-probs have all their digits. */
export function loadBody({ size, tokens: length }: Load): Buffer {
  const rows = <T>(value: (position: number) => T) =>
    Array.from({ length: size }, () => Array.from({ length }, (_one, position) => value(position)));
  const isContext = (position: number) => position < length / 4;
  const id = (position: number) => 1000 + ((position * 7919) % 30_000);
  const group = {
    tokens: rows(id),
    masks: rows((position) => (isContext(position) ? -100 : id(position))),
    scores: Array.from({ length: size }, (_one, index) => index / size),
    inference_logprobs: rows((position) => (isContext(position) ? 1 : -Math.sqrt(position + 0.1))),
    env_id: 0,
  };
  return Buffer.from(JSON.stringify(group));
}

/** Groups a second, from the first send to the last batch. */
export async function pushThrough(port: number, load: Load, body: Buffer): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: load.senders });
  const call = (method: string, path: string, bytes?: Buffer) =>
    ask(agent, port, method, path, bytes);
  try {
    await prepare(call, load);
    const startedMs = performance.now();
    await sendAll(call, load, body);
    await takeAll(call, load);
    return load.groups / ((performance.now() - startedMs) / 1000);
  } finally {
    agent.destroy();
  }
}

type Call = (method: string, path: string, bytes?: Buffer) => Promise<Buffer>;

async function prepare(call: Call, { size }: Load): Promise<void> {
  await untilThere(call);
  const trainer = {
    wandb_group: 'g',
    wandb_project: 'p',
    batch_size: batchSize,
    max_token_len: 4096,
    checkpoint_dir: '',
    save_checkpoint_interval: 10,
    starting_step: 0,
    num_steps: 100,
  };
  const environment = { max_token_length: 4096, desired_name: 'x', weight: 1, group_size: size };
  await call('GET', '/reset_data');
  await call('POST', '/register', Buffer.from(JSON.stringify(trainer)));
  await call('GET', '/batch');
  await call('POST', '/register-env', Buffer.from(JSON.stringify(environment)));
}

async function untilThere(call: Call): Promise<void> {
  for (let look = 0; look < 200; look += 1) {
    if ((await call('GET', '/').catch(() => null)) !== null) return;
    await sleep(100);
  }
  throw new Error(
    'A server did not start. HERMES_TEST_PYTHON must name a Python with atroposlib==0.4.0, fastapi and uvicorn.',
  );
}

async function sendAll(call: Call, { groups, senders }: Load, body: Buffer): Promise<void> {
  let left = groups;
  const send = async () => {
    while (left > 0) {
      left -= 1;
      await call('POST', '/scored_data', body);
    }
  };
  await Promise.all(Array.from({ length: senders }, send));
}

async function takeAll(call: Call, { groups, size }: Load): Promise<void> {
  for (let taken = 0; taken < groups; taken += batchSize / size) {
    const batch = await call('GET', '/batch');
    if (batch.length < 100) throw new Error(`no batch after ${taken} of ${groups} groups`);
  }
}

function ask(
  agent: Agent,
  port: number,
  method: string,
  path: string,
  bytes?: Buffer,
): Promise<Buffer> {
  const headers = bytes && { 'content-type': 'application/json', 'content-length': bytes.length };
  return new Promise((resolve, reject) => {
    const sent = request(
      { agent, host: '127.0.0.1', port, method, path, ...(headers && { headers }) },
      (response) => {
        const pieces: Buffer[] = [];
        response.on('data', (piece) => pieces.push(piece));
        response.on('error', reject);
        response.on('end', () => {
          if (response.statusCode === 200) resolve(Buffer.concat(pieces));
          else reject(new Error(`${path}: ${response.statusCode}`));
        });
      },
    );
    sent.on('error', reject);
    sent.end(bytes);
  });
}
