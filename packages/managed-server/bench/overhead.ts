/** What a turn costs beside the engine, against the ManagedServer of atroposlib on the same machine (HERMES_TEST_PYTHON has it, transformers and openai). */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defaultScript, writeAutomaton } from '@hermes/automaton';
import { report } from '@hermes/bench';
import { hermesParser } from '@hermes/parsers/hermes';
import type { Message, ModelCallContext, Tokenizer } from '@hermes/protocol';
import { loadTokenizer } from '@hermes/tokenizer';
import { createManagedServer, type ManagedSession } from '../src/index.ts';
import { scriptedTokenEngine } from '../src/testing/index.ts';

type Turn = Readonly<{ user: string; answer: readonly number[] }>;

const TURNS = 10;
const REPEAT = 7;
const SIZES = [1_024, 4_096, 16_384, 32_768, 131_072];
const LONG_PROMPT = 32_768;
const SESSIONS = 500;
const WARM_UP_TURNS = 2;
const context: ModelCallContext = {
  signal: new AbortController().signal,
  rolloutId: 'bench',
  invocationId: 'root',
  turn: 1,
  purpose: 'policy',
  split: 'train',
};

const folder = mkdtempSync(join(tmpdir(), 'hermes-managed-bench-'));
try {
  const model = join(folder, 'model');
  await writeAutomaton(model, defaultScript);
  const tokenizer = await loadTokenizer({ dir: model });
  const cases = Object.fromEntries(SIZES.map((size) => [size, longHistory(tokenizer, size)]));
  const small = evenTurns(tokenizer, 1_024);
  const peer = playPeer(model, { small, long: cases[LONG_PROMPT] ?? [] });
  const ours = await playOurs(tokenizer, { ...cases, small });
  const peerTurn = mean(peer.small ?? []);
  const sessions = await playSessions(tokenizer, evenTurns(tokenizer, 4_096));
  await report(
    import.meta.url,
    [
      {
        name: 'a turn of a conversation of 1024 tokens / the same of ManagedServer',
        value: mean(ours.small ?? []) / peerTurn,
        bound: 1,
      },
      ...SIZES.map((size) => ({
        name: `a turn of 100 tokens behind ${size} / a turn of ManagedServer in a conversation of 1024`,
        value: mean(ours[size]?.slice(1) ?? []) / peerTurn,
        bound: 1,
      })),
      {
        name: `first turn of a prompt of ${LONG_PROMPT} tokens / the same of ManagedServer`,
        value: (ours[LONG_PROMPT]?.[0] ?? 0) / (peer.long?.[0] ?? 0),
        bound: 3,
      },
    ],
    { oursMs: ours, peerMs: peer, sessions },
  );
} finally {
  rmSync(folder, { recursive: true });
}

/** Question and answer share the tokens of each turn. */
function evenTurns(tokenizer: Tokenizer, size: number): readonly Turn[] {
  const each = Math.floor(size / (2 * TURNS)) - 6;
  return Array.from({ length: TURNS }, (_, turn) => ({
    user: tokenizer.decode(words(tokenizer, each, turn)),
    answer: words(tokenizer, each, turn + 3),
  }));
}

/** All of it in the first question; then turns of about 100 tokens. */
function longHistory(tokenizer: Tokenizer, size: number): readonly Turn[] {
  const [first, ...others] = evenTurns(tokenizer, 100 * TURNS);
  return [
    { user: tokenizer.decode(words(tokenizer, size, 5)), answer: first?.answer ?? [] },
    ...others,
  ];
}

function words(tokenizer: Tokenizer, tokens: number, at: number): number[] {
  const text =
    'the quick brown fox jumps over a lazy dog 0123456789 {"city":"Paris"} def f(x): return x + 1\n';
  return tokenizer.encode(text.repeat(2 + Math.ceil(tokens / 20)).slice(7 * at)).slice(0, tokens);
}

function playPeer(
  model: string,
  cases: Readonly<Record<string, readonly Turn[]>>,
): Record<string, number[]> {
  const file = join(folder, 'cases.json');
  writeFileSync(file, JSON.stringify(cases));
  const script = fileURLToPath(new URL('managed_peer.py', import.meta.url));
  const env = { ...process.env, HF_HUB_OFFLINE: '1', TRANSFORMERS_VERBOSITY: 'error' };
  const command = process.env.HERMES_TEST_PYTHON ?? 'python3';
  return JSON.parse(execFileSync(command, [script, model, file], { encoding: 'utf8', env }));
}

/** The least time of each turn over all repeats, all cases in turn. */
async function playOurs(
  tokenizer: Tokenizer,
  cases: Readonly<Record<string, readonly Turn[]>>,
): Promise<Record<string, number[]>> {
  const best: Record<string, number[]> = {};
  for (let round = -3; round < REPEAT; round += 1) {
    for (const [name, turns] of Object.entries(cases)) {
      const times = await playOnce(tokenizer, turns);
      if (round < 0) continue;
      best[name] = times.map((ms, turn) => Math.min(ms, best[name]?.[turn] ?? ms));
    }
  }
  return best;
}

async function playOnce(tokenizer: Tokenizer, turns: readonly Turn[]): Promise<number[]> {
  const server = await openServer(tokenizer, turns);
  await warmUp(server.openSession('warm-up'));
  const session = server.openSession('bench');
  const messages: Message[] = [];
  const times: number[] = [];
  for (const { user } of turns) {
    messages.push({ role: 'user', content: user });
    const startedMs = performance.now();
    for await (const event of session.chat({ messages, sampling: {} }, context))
      if (event.type === 'result') messages.push(event.result.message);
    times.push(performance.now() - startedMs);
  }
  const segments = session.segments();
  if (segments.length !== 1) throw new Error(`${segments.length} segments where one goes on`);
  return times;
}

/** The first bridge of a server proves its template; all sessions of a run share that. */
async function warmUp(session: ManagedSession): Promise<void> {
  const messages: Message[] = [];
  for (let turn = 0; turn < WARM_UP_TURNS; turn += 1) {
    messages.push({ role: 'user', content: 'hi' });
    const [result] = await session.choices({ messages, sampling: {} }, 1, context);
    if (result !== undefined) messages.push(result.message);
  }
}

/** An engine that costs nothing: its answers are made before the clock starts. */
async function openServer(tokenizer: Tokenizer, turns: readonly Turn[]) {
  const outputs = turns.map(({ answer }) => ({ ids: answer, logprobs: answer.map(() => -0.5) }));
  const script = (_: readonly number[], call: number) =>
    outputs[Math.max(0, call - WARM_UP_TURNS)] ?? '';
  const engine = scriptedTokenEngine(script, { tokenizer, deltaTokens: 0, record: false });
  return createManagedServer({ engine, tokenizer, parser: hermesParser });
}

/** Many rollouts at once in one process. */
async function playSessions(tokenizer: Tokenizer, turns: readonly Turn[]) {
  const startedMs = performance.now();
  const all = await Promise.all(Array.from({ length: SESSIONS }, () => playOnce(tokenizer, turns)));
  const elapsedMs = performance.now() - startedMs;
  return {
    sessions: all.length,
    turns: all.length * TURNS,
    elapsedMs,
    perTurnMs: elapsedMs / (all.length * TURNS),
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
