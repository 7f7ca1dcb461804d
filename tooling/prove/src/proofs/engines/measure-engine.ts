import { strict as assert } from 'node:assert';
import type { TokenEngine } from '@hermes/protocol';
import { playWithTools, recording } from '@hermes/real-engines';
import type { Counts, ProofOptions } from '../../proof.ts';
import { comparisonRows } from './comparison-rows.ts';
import { playThroughGateway } from './play-through-gateway.ts';
import type { Referee } from './referee.ts';

/** Rollouts for one session of the foreign agent. */
const ROLLOUTS_PER_SESSION = 5;

/** Plays rollouts with tools on an engine, then a foreign agent through the gateway, and compares all that was recorded with what the engine said. */
export async function measureEngine(
  engine: TokenEngine,
  referee: Referee,
  { count }: ProofOptions,
): Promise<Counts> {
  const sessions = Math.ceil(count / ROLLOUTS_PER_SESSION);
  return {
    ...(await measureRollouts(engine, referee, count)),
    ...(await measureGateway(engine, referee, sessions, false)),
    ...(await measureGateway(engine, referee, sessions, true)),
  };
}

async function measureRollouts(
  engine: TokenEngine,
  referee: Referee,
  count: number,
): Promise<Counts> {
  const recorded = recording(engine);
  const rollouts = await playWithTools(recorded.engine, referee.tokenizer, count);
  assert(rollouts.every(({ trainable }) => trainable));
  const played = rollouts.map(({ rolloutId, agent, segments }) => {
    return { id: rolloutId, turns: agent?.turnsUsed ?? 0, segments };
  });
  const long = played.filter(({ turns }) => turns >= 4).length;
  if (count >= 50) assert(long >= 20, `only ${long} rollouts of four turns and more`);
  return {
    rollouts: played.length,
    'rollouts of four turns and more': long,
    ...(await comparisonRows('rollouts', { played, calls: recorded.calls, engine, referee })),
  };
}

async function measureGateway(
  engine: TokenEngine,
  referee: Referee,
  sessions: number,
  stream: boolean,
): Promise<Counts> {
  const what = `foreign agent, ${stream ? 'streamed' : 'whole answers'}`;
  const recorded = recording(engine);
  const played = await playThroughGateway(recorded.engine, referee.tokenizer, { sessions, stream });
  return {
    [`${what}: sessions`]: played.length,
    ...(await comparisonRows(what, { played, calls: recorded.calls, engine, referee })),
  };
}
