/** Runs the agent as a process of its own against `hermes gateway`, offline, with a real model of 5 MB; what it leaves behind can be trained on. */
import { strict as assert } from 'node:assert';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { callText, writeAutomaton } from '@hermes/automaton';
import { runCli } from '@hermes/cli';
import { groupOf } from './group.js';

const run = promisify(execFile);
const agent = fileURLToPath(new URL('agent.js', import.meta.url));

/** It looks a price up, perhaps again, and is right in half of its answers. */
const script = {
  calls: [{ text: callText('look_up_price', { article: 'pen' }), weight: 1 }],
  callAgain: 0.5,
  answers: [
    { text: 'A pen costs 120 cents.', weight: 1 },
    { text: 'A pen costs 210 cents.', weight: 1 },
  ],
};

const folder = await mkdtemp(join(tmpdir(), 'hermes-example-'));
const stop = new AbortController();
try {
  const { gguf } = await writeAutomaton(folder, script);
  const { url, ended } = await startGateway(gguf);
  const played = await Promise.all(['a', 'b', 'c', 'd'].map((session) => play(url, session)));
  const rewards = Object.fromEntries(
    played.map(({ session, answer }) => [session, answer?.includes('120') ? 1 : 0]),
  );
  checkGroup(await groupOf(url, rewards), played);
  assert.equal((await fetch(`${url}/a/nodes`)).status, 404, 'what was read is gone');
  stop.abort();
  assert.equal(await ended, 130);
} finally {
  stop.abort();
  await rm(folder, { recursive: true });
}

/** `hermes gateway --model llama:FILE`; its first line says where it listens. */
async function startGateway(gguf) {
  let tell;
  const told = new Promise((resolve) => {
    tell = resolve;
  });
  const stdout = { write: (line) => tell(line.trim()), isTerminal: false, columns: 80 };
  const argv = ['gateway', '--model', `llama:${gguf}`, '--port', '0'];
  const ended = runCli(argv, { stdout, environmentVariables: {}, signal: stop.signal });
  const early = ended.then((code) => assert.fail(`the gateway has ended with ${code}`));
  return { url: await Promise.race([told, early]), ended };
}

/** The agent knows an address and a key, and nothing else. */
async function play(url, session) {
  const env = { ...process.env, OPENAI_BASE_URL: `${url}/${session}/v1`, OPENAI_API_KEY: 'any' };
  const { stdout } = await run(process.execPath, [agent, 'What does a pen cost?'], { env });
  return { session, ...JSON.parse(stdout) };
}

function checkGroup({ tokens, masks, inference_logprobs: logprobs, scores }, played) {
  assert.equal(
    tokens.length,
    played.length,
    'one sequence a session: each turn went on with the last',
  );
  assert.deepEqual(
    scores,
    played.map(({ answer }) => (answer?.includes('120') ? 1 : 0)),
  );
  for (const [index, ids] of tokens.entries()) {
    assert.equal(masks[index].length, ids.length);
    assert.equal(logprobs[index].length, ids.length);
    for (const [at, id] of ids.entries()) {
      const isSampled = masks[index][at] !== -100;
      assert.equal(masks[index][at], isSampled ? id : -100);
      assert.ok(isSampled ? logprobs[index][at] <= 0 : logprobs[index][at] === 1);
    }
    const answers = masks[index].filter((id, at) => id !== -100 && masks[index][at + 1] === -100);
    assert.equal(answers.length + 1, played[index].turns, 'every turn was sampled, once');
  }
}
