import { strict as assert } from 'node:assert';
import type { TokenEngine } from '@hermes/protocol';
import {
  compareWithEngine,
  compareWithForcedPass,
  type EngineCall,
  type Played,
} from '@hermes/real-engines';
import type { Counts } from '../../proof.ts';
import type { Referee } from './referee.ts';

const GREATEST_DIFFERENCE = 1e-3;

/** What was recorded, what the engine said to it, and who recomputes its log-probs. */
type Compared = Readonly<{
  played: readonly Played[];
  calls: readonly EngineCall[];
  engine: TokenEngine;
  referee: Referee;
}>;

/** Compares, refuses any difference, and names the figures after what was played. */
export async function comparisonRows(
  what: string,
  { played, calls, engine, referee }: Compared,
): Promise<Counts> {
  const found = compareWithEngine(played, calls);
  const name = (figure: string): string => `${what}: ${figure}`;
  assert.equal(found.playedOtherwise, 0, name('segments differ'));
  assert.equal(found.idsMaskedWrongly, 0, name('masks are wrong'));
  const rows: Record<string, number | string> = {
    [name('turns')]: found.turns,
    [name('segments')]: found.segments,
    [name('segments with other ids or log-probs than the engine said')]: found.playedOtherwise,
    [name('prompts that the engine repeated')]: found.repeatedPrompts,
    [name('ids sampled, and compared')]: found.sampledIds,
    [name('ids masked wrongly')]: found.idsMaskedWrongly,
    [name('greatest difference of a log-prob to a pass in process')]: await forcedPass(
      played,
      referee.engine,
      found.sampledIds,
    ),
  };
  if (engine.score !== undefined && engine !== referee.engine)
    rows[name("greatest difference to the engine's own pass")] = await forcedPass(
      played,
      engine,
      found.sampledIds,
    );
  return rows;
}

async function forcedPass(
  played: readonly Played[],
  engine: TokenEngine,
  sampledIds: number,
): Promise<string> {
  const segments = played.flatMap((one) => one.segments);
  const { compared, greatestDifference } = await compareWithForcedPass(segments, engine);
  assert.equal(compared, sampledIds);
  assert(greatestDifference < GREATEST_DIFFERENCE, `a log-prob differs by ${greatestDifference}`);
  return greatestDifference === 0 ? '0' : greatestDifference.toExponential(1);
}
