import type { OpenBlock } from '../format.ts';
import { type CallRunGrammar, compileCallRun, stateOf } from './call-run-grammar.ts';
import { CallRunReader } from './call-run-reader.ts';

const fence = '```';
/** What may stand behind a bracket of a call; the empty text is in both: the window ends there. */
const mayFollow: Readonly<Record<string, string>> = { '{': '" \t\n\r', '[': '{ \t\n\r' };

/** The `blocks` and `candidates` of a format whose calls need no marker. */
export function callRuns(grammar: CallRunGrammar): {
  blocks: Record<string, OpenBlock>;
  candidates: Record<string, OpenBlock>;
} {
  const compiled = compileCallRun(grammar);
  const tagged: OpenBlock = (machine, start, marker) =>
    new CallRunReader(machine, compiled, stateOf(compiled, machine), start, marker);
  const bare: OpenBlock = (machine, start, bracket) => {
    const next = machine.character;
    if (!mayFollow[bracket]?.includes(next)) return null;
    const state = stateOf(compiled, machine);
    if (machine.inertUntil > start || state.broken.delete(start)) return null;
    machine.rewind(start);
    return new CallRunReader(machine, compiled, state, start, bracket);
  };
  const toggleFence: OpenBlock = (machine) => {
    const state = stateOf(compiled, machine);
    state.isInFence = !state.isInFence;
    return null;
  };
  return {
    blocks: Object.fromEntries(grammar.tags.map((tag) => [tag, tagged])),
    candidates: { '{': bare, '[': bare, [fence]: toggleFence },
  };
}
