import { expect, it } from 'vitest';
import { play, tool, toolContents } from './_kit/play.ts';

/** Tools that tell when they run, and a way to see who was running beside whom. */
function traced() {
  const trace: string[] = [];
  const turnsToWait: Readonly<Record<string, number>> = { slow: 5, quick: 1, write: 3 };
  const make = (name: string, parallel: boolean) =>
    tool(
      name,
      async ({ n }) => {
        trace.push(`+${name}${n}`);
        for (let i = 0; i < (turnsToWait[name] ?? 0); i += 1) await new Promise(setImmediate);
        trace.push(`-${name}${n}`);
        return `${name}${n}`;
      },
      { parallel },
    );
  return { trace, tools: [make('slow', true), make('quick', true), make('write', false)] };
}

const turn = (...names: readonly string[]) => [
  { calls: names.map((name, n) => ({ name, arguments: { n } })) },
  'Done.',
];

it('runs parallel calls at once and answers in call order', async () => {
  const { tools, trace } = traced();
  const { result, events } = await play(turn('slow', 'quick', 'quick'), { tools });
  expect(trace.slice(0, 3)).toEqual(['+slow0', '+quick1', '+quick2']);
  expect(trace.at(-1)).toBe('-slow0');
  expect(toolContents(result)).toEqual(['slow0', 'quick1', 'quick2']);
  expect(events.ofType('tool_end').at(-1)?.callKey).toBe('root.turn-1.call-1');
});

it('runs any other call alone, after all before it and before all after it', async () => {
  const { tools, trace } = traced();
  const { result } = await play(turn('slow', 'quick', 'write', 'write', 'quick', 'slow'), {
    tools,
  });
  expect(trace).toEqual([
    ...['+slow0', '+quick1', '-quick1', '-slow0'],
    ...['+write2', '-write2', '+write3', '-write3'],
    ...['+quick4', '+slow5', '-quick4', '-slow5'],
  ]);
  expect(toolContents(result)).toEqual(['slow0', 'quick1', 'write2', 'write3', 'quick4', 'slow5']);
});

it('passes every run through the tool limiter, and no refused call', async () => {
  let entered = 0;
  const { tools } = traced();
  await play(turn('slow', 'nope', 'write'), {
    tools,
    toolLimiter: {
      run: (work) => {
        entered += 1;
        return work();
      },
      stats: () => ({ running: 0, queued: 0, longestWaitMs: 0 }),
    },
  });
  expect(entered).toBe(2);
});
