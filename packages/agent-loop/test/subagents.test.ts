import type { AgentResult, Tool } from '@hermes/protocol';
import { type Script, scriptedModel } from '@hermes/protocol/testing';
import { expect, it } from 'vitest';
import type { SubagentPolicy } from '../src/index.ts';
import { manualLimiter } from './_kit/limiter.ts';
import { echo, play, start, tool, toolContents } from './_kit/play.ts';

/** Hands its argument to as many children as asked for. */
const delegate: Tool = tool('delegate', async ({ jobs }, context) => {
  if (!context.delegate) return 'not allowed here';
  const tasks = Array.isArray(jobs) ? jobs : [];
  const run = context.delegate;
  const ended = await Promise.all(
    tasks.map((job) => run({ messages: [{ role: 'user', content: String(job) }] })),
  );
  return ended.map(({ invocationId, result }) => `${invocationId}: ${lastText(result)}`).join('\n');
});

function lastText(result: AgentResult): string {
  return `${result.stopReason} ${result.messages.at(-1)?.content ?? ''}`;
}

const call = (...jobs: readonly string[]) => ({
  calls: [{ id: 'call_d', name: 'delegate', arguments: { jobs } }],
});

const policy = (script: Script, rest: Partial<SubagentPolicy> = {}): SubagentPolicy => ({
  model: scriptedModel(script),
  tools: (_task, tools) => tools,
  ...rest,
});

it('gives a child its own history, and its result to the tool', async () => {
  const { result, events } = await play([call('Count.'), 'Done.'], {
    tools: [delegate],
    subagents: policy('Three.'),
  });
  expect(toolContents(result)).toEqual(['root.child-1: natural Three.']);
  expect(result.messages).toHaveLength(4);
  expect(result.children).toMatchObject([
    {
      invocationId: 'root.child-1',
      parentInvocationId: 'root',
      spawnedByToolCallId: 'call_d',
      result: { turnsUsed: 1, messages: [{ content: 'Count.' }, { content: 'Three.' }] },
    },
  ]);
  expect(events.ofType('invocation_start')).toMatchObject([
    { invocationId: 'root', parentInvocationId: null, spawnedByToolCallId: null },
    { invocationId: 'root.child-1', parentInvocationId: 'root', spawnedByToolCallId: 'call_d' },
  ]);
  expect(events.ofType('invocation_end').map((event) => event.invocationId)).toEqual([
    'root.child-1',
    'root',
  ]);
});

it('counts the tokens and the cost of children also against the parent', async () => {
  const answer = { content: 'Three.', usage: { inputTokens: 100 }, costUsd: 2 };
  const { result } = await play(
    [
      { ...call('a', 'b'), costUsd: 1 },
      { content: 'D', costUsd: 1 },
    ],
    {
      tools: [delegate],
      subagents: policy(answer),
    },
  );
  expect(result.usage.inputTokens).toBe(10 + 10 + 200);
  expect(result.costUsd).toBe(6);
  expect(result.children.map((child) => child.result.costUsd)).toEqual([2, 2]);
});

it('ends a child when the budget of its parent is used up', async () => {
  const busy = { calls: [{ name: 'echo' }], usage: { inputTokens: 100, outputTokens: 0 } };
  const { result } = await play([call('a'), 'never'], {
    tools: [delegate, echo],
    limits: { maxTotalTokens: 250 },
    subagents: policy(busy),
  });
  expect(result.children[0]?.result).toMatchObject({ stopReason: 'max_tokens', turnsUsed: 3 });
  expect(result).toMatchObject({ stopReason: 'max_tokens', turnsUsed: 1 });
});

it('gives children budgets of their own', async () => {
  const { result } = await play([call('a'), 'Done.'], {
    tools: [delegate, echo],
    limits: { maxTurns: 2 },
    subagents: policy({ calls: [{ name: 'echo' }] }, { limits: { maxTurns: 4 } }),
  });
  expect(result.children[0]?.result).toMatchObject({ stopReason: 'max_turns', turnsUsed: 4 });
  expect(result.stopReason).toBe('natural');
});

it.each([
  [undefined, 2],
  [1, 1],
  [0, 0],
])('lets there be only so many levels (maxDepth %s)', async (maxDepth, levels) => {
  const deeper = scriptedModel(({ messages }) => (messages.length === 1 ? call('go') : 'up'));
  const { events } = await play(call('go'), {
    tools: [delegate],
    limits: { maxTurns: 1 },
    subagents: policy('', { model: deeper, ...(maxDepth !== undefined && { maxDepth }) }),
  });
  const depths = events.ofType('invocation_start').map((e) => e.invocationId.split('.').length - 1);
  expect(Math.max(...depths)).toBe(levels);
});

it('runs three children at once and lets the others wait', async () => {
  let running = 0;
  let most = 0;
  const model = scriptedModel(async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise(setImmediate);
    running -= 1;
    return 'ok';
  });
  const { result } = await play([call('a', 'b', 'c', 'd', 'e'), 'Done.'], {
    tools: [delegate],
    subagents: policy('', { model }),
  });
  expect(most).toBe(3);
  expect(result.children.map((child) => child.invocationId)).toEqual(
    [1, 2, 3, 4, 5].map((n) => `root.child-${n}`),
  );
});

it('ends children with their parent', async () => {
  const controller = new AbortController();
  const { ended, events, effects } = start([call('a', 'b', 'c', 'd'), 'never'], {
    tools: [delegate],
    signal: controller.signal,
    subagents: policy({ hang: true }),
  });
  await effects.clock.advance(0);
  controller.abort();
  const result = await ended;
  expect(result.stopReason).toBe('aborted');
  expect(result.children.map((child) => child.result.stopReason)).toEqual(Array(3).fill('aborted'));
  expect(events.types().at(-1)).toBe('invocation_end');
  expect(effects.clock.sleeping()).toBe(0);
});

it('ends a child that its tool did not wait for', async () => {
  const careless = tool('delegate', async (_args, context) => {
    void context.delegate?.({ messages: [{ role: 'user', content: 'x' }] }).catch(() => {});
    await new Promise(setImmediate);
    return 'did not wait';
  });
  const { result } = await play([call('a'), 'Done.'], {
    tools: [careless],
    subagents: policy({ hang: true }),
  });
  expect(result.stopReason).toBe('natural');
  expect(result.children[0]?.result.stopReason).toBe('aborted');
});

it('does not let children wait for the tool slot of their parent', async () => {
  let free = 1;
  const onePlace = {
    stats: () => ({ running: 0, queued: 0, longestWaitMs: 0 }),
    run: <T>(work: () => Promise<T>) => {
      if (free === 0) return Promise.reject(new Error('this would wait for ever'));
      free -= 1;
      return work().finally(() => {
        free += 1;
      });
    },
  };
  const { result } = await play([call('a'), 'Done.'], {
    tools: [delegate, echo],
    toolLimiter: onePlace,
    subagents: policy([{ calls: [{ name: 'echo' }] }, 'ok']),
  });
  expect(result.children[0]?.result.toolCalls.ok).toBe(1);
});

it('gives a child only the tools that the task names', async () => {
  const picky = tool('delegate', async (_args, context) => {
    const messages = [{ role: 'user', content: 'x' } as const];
    await context.delegate?.({ messages, toolNames: ['echo'], maxTurns: 1 });
    return 'ok';
  });
  const { events } = await play([call('a'), 'Done.'], {
    tools: [picky, echo],
    subagents: policy('ok'),
  });
  expect(events.ofType('invocation_start')[1]?.tools).toEqual([echo.schema]);
});

it('makes a task that no child can work with a failed call', async () => {
  const wrong = tool('delegate', async (_args, context) => {
    await context.delegate?.({ messages: [], maxTurns: 0 });
    return 'ok';
  });
  const { result } = await play([call('a'), 'Done.'], { tools: [wrong], subagents: policy('ok') });
  expect(toolContents(result)[0]).toMatch(/limits.maxTurns is 0/);
});

it("does not charge a child's waiting for a model to its parent's deadline", async () => {
  const modelLimiter = manualLimiter();
  const { ended, effects } = start([call('a'), 'Done.'], {
    tools: [delegate],
    modelLimiter,
    limits: { deadlineMs: 100 },
    subagents: policy('ok'),
  });
  for (let calls = 0; calls < 3; calls += 1) {
    await effects.clock.advance(5000);
    expect(modelLimiter.waiting).toBe(1);
    modelLimiter.open();
    await effects.clock.advance(1);
  }
  expect(await ended).toMatchObject({ stopReason: 'natural', turnsUsed: 2 });
});
