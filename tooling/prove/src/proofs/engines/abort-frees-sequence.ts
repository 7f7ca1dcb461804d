import { strict as assert } from 'node:assert';
import { openLlamaEngine } from '@hermes/model-llama';
import type { Counts } from '../../proof.ts';
import { endlessPrompt } from './referee.ts';
import { startEndless } from './start-endless.ts';

/** An engine with room for one generation: the second begins when the first is aborted. */
export async function checkAbortFreesSequence(path: string): Promise<Counts> {
  const opened = await openLlamaEngine({ path, threads: 1, contextTokens: 4096, sequences: 1 });
  const ids = endlessPrompt(opened);
  try {
    const first = startEndless(opened.engine, ids);
    assert.equal(await first.begun, true);
    const second = startEndless(opened.engine, ids);
    first.abort();
    assert.equal(await first.code, 'CANCELLED');
    assert.equal(await second.begun, true);
    second.abort();
    assert.equal(await second.code, 'CANCELLED');
  } finally {
    await opened.engine.close?.();
  }
  return { 'the only place in the engine, after an abort': 'taken by the one that waited' };
}
