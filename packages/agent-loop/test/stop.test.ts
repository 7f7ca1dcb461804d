import type { ToolCallContext } from '@hermes/protocol';
import { expect, it } from 'vitest';
import { ABORT_GRACE_MS } from '../src/stop-signal.ts';
import { deafLimiter, manualLimiter } from './_kit/limiter.ts';
import { callEcho, play, roles, start, tool, toolContents } from './_kit/play.ts';

const hangs = { content: 'half an ans', hang: true };

/** A tool that ends when it is told to, and a promise of its having begun. */
function obedient() {
  let begun = (_context: ToolCallContext) => {};
  const running = new Promise<ToolCallContext>((resolve) => {
    begun = resolve;
  });
  const untilAborted = tool('echo', (_args, context) => {
    begun(context);
    return new Promise((resolve) => {
      context.signal.addEventListener('abort', () => resolve('partial output'));
    });
  });
  return { running, tool: untilAborted };
}

it('ends a model call that is aborted, and makes no other', async () => {
  const controller = new AbortController();
  const { ended, model, events } = start(hangs, { signal: controller.signal });
  await new Promise(setImmediate);
  controller.abort();
  const result = await ended;
  expect(result).toMatchObject({ stopReason: 'aborted', error: null, turnsUsed: 1 });
  expect(roles(result)).toEqual(['user']);
  expect(model.calls).toHaveLength(1);
  expect(model.calls[0]?.context.signal.aborted).toBe(true);
  expect(events.ofType('model_call_end')[0]?.error?.code).toBe('CANCELLED');
  expect(events.types().at(-1)).toBe('invocation_end');
});

it('ends a running tool when it is aborted, keeps its output, and asks no model again', async () => {
  const controller = new AbortController();
  const { running, tool: untilAborted } = obedient();
  const turn = { calls: [{ name: 'echo' }, { name: 'echo' }] };
  const { ended, model } = start(turn, { tools: [untilAborted], signal: controller.signal });
  await running;
  controller.abort();
  const result = await ended;
  expect(result.stopReason).toBe('aborted');
  expect(model.calls).toHaveLength(1);
  expect(toolContents(result)).toEqual([
    'partial output',
    '{"error": "The tool was not run: the rollout was stopped."}',
  ]);
  expect(result.toolCalls).toMatchObject({ attempted: 2, failed: 1 });
  expect(result.toolErrors).toEqual([]);
});

it('leaves a tool behind that does not listen, and hears nothing more of it', async () => {
  const controller = new AbortController();
  let late: ToolCallContext | undefined;
  const deaf = tool('echo', (_args, context) => {
    late = context;
    return new Promise<string>(() => {});
  });
  const { ended, effects, events } = start(callEcho, { tools: [deaf], signal: controller.signal });
  await new Promise(setImmediate);
  controller.abort();
  await effects.clock.advance(ABORT_GRACE_MS);
  const result = await ended;
  expect(result.stopReason).toBe('aborted');
  expect(toolContents(result)[0]).toMatch(/did not end within 5000 ms/);
  const seen = events.events.length;
  late?.emit({ type: 'tool_delta', callKey: late.callKey, text: 'still here' });
  expect(events.events).toHaveLength(seen);
  expect(effects.clock.sleeping()).toBe(0);
});

it('leaves a model behind that does not listen', async () => {
  const controller = new AbortController();
  const { ended, effects } = start(() => new Promise<string>(() => {}), {
    signal: controller.signal,
  });
  await new Promise(setImmediate);
  controller.abort();
  await effects.clock.advance(ABORT_GRACE_MS);
  expect(await ended).toMatchObject({ stopReason: 'aborted', turnsUsed: 1 });
});

it('makes no model call when the signal fired before the start', async () => {
  const { result, model } = await play('Done.', { signal: AbortSignal.abort() });
  expect(result).toMatchObject({ stopReason: 'aborted', turnsUsed: 0 });
  expect(model.calls).toHaveLength(0);
});

it('stops between two turns', async () => {
  const controller = new AbortController();
  const aborts = tool('echo', () => {
    controller.abort();
    return 'done just in time';
  });
  const { result, model } = await play(callEcho, { tools: [aborts], signal: controller.signal });
  expect(result.stopReason).toBe('aborted');
  expect(toolContents(result)).toEqual(['done just in time']);
  expect(model.calls).toHaveLength(1);
});

it('calls the end of its own time a deadline and no error', async () => {
  const { ended, effects } = start(hangs, { limits: { deadlineMs: 1000 } });
  await effects.clock.advance(999);
  expect(effects.clock.sleeping()).toBe(1);
  await effects.clock.advance(1);
  expect(await ended).toMatchObject({ stopReason: 'deadline', error: null, turnsUsed: 1 });
  expect(effects.clock.sleeping()).toBe(0);
});

it('ends a tool at the deadline', async () => {
  const { running, tool: untilAborted } = obedient();
  const options = { tools: [untilAborted], limits: { deadlineMs: 50 } };
  const { ended, effects } = start(callEcho, options);
  await running;
  await effects.clock.advance(50);
  expect(toolContents(await ended)).toEqual(['partial output']);
});

it('takes its timer away when it ends in time', async () => {
  const { effects, result } = await play('Done.', { limits: { deadlineMs: 1000 } });
  expect(result.stopReason).toBe('natural');
  expect(effects.clock.sleeping()).toBe(0);
});

it('does not charge waiting for the model limiter to the deadline', async () => {
  const modelLimiter = manualLimiter();
  const { ended, effects } = start(hangs, { modelLimiter, limits: { deadlineMs: 100 } });
  await effects.clock.advance(5000);
  modelLimiter.open();
  await effects.clock.advance(99);
  expect(effects.clock.sleeping()).toBe(1);
  await effects.clock.advance(1);
  expect(await ended).toMatchObject({ stopReason: 'deadline', turnsUsed: 1 });
});

it('does not charge waiting for the tool limiter to the deadline, but charges a sibling at work', async () => {
  const toolLimiter = manualLimiter();
  const { running, tool: untilAborted } = obedient();
  const read = { ...untilAborted, parallel: true };
  const turn = { calls: [{ name: 'echo' }, { name: 'echo' }] };
  const options = { tools: [read], toolLimiter, limits: { deadlineMs: 100 } };
  const { ended, effects } = start(turn, options);
  await effects.clock.advance(5000);
  toolLimiter.open();
  await running;
  await effects.clock.advance(100);
  const result = await ended;
  expect(result.stopReason).toBe('deadline');
  expect(toolContents(result)).toEqual(['partial output', expect.stringContaining('not run')]);
  expect(result.toolMs).toBe(100);
});

it('counts no model call for one that never left the limiter', async () => {
  const controller = new AbortController();
  const modelLimiter = manualLimiter();
  const { ended, model } = start('Done.', { modelLimiter, signal: controller.signal });
  await new Promise(setImmediate);
  controller.abort();
  expect(await ended).toMatchObject({ stopReason: 'aborted', turnsUsed: 0 });
  expect(model.calls).toHaveLength(0);
});

it('lets a thousand rollouts share one signal without a warning or a listener left', {
  timeout: 60_000,
}, async () => {
  const warnings: Error[] = [];
  const remember = (warning: Error) => warnings.push(warning);
  process.on('warning', remember);
  const controller = new AbortController();
  const { signal } = controller;
  let listeners = 0;
  const counted = new Proxy(signal, {
    get(target, name) {
      const value = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (name === 'addEventListener') listeners += 1;
      if (name === 'removeEventListener') listeners -= 1;
      return value.bind(target);
    },
  });
  const listens = tool(
    'echo',
    (_args, context) => {
      context.signal.addEventListener('abort', () => {});
      return 'heard nothing';
    },
    { parallel: true },
  );
  const calls = Array(12).fill(callEcho.calls[0]);
  const runs = Array.from({ length: 1000 }, () =>
    play([{ calls }, 'Done.'], { tools: [listens], signal: counted }),
  );
  expect(listeners).toBe(1);
  await Promise.all(runs);
  expect(listeners).toBe(0);
  await new Promise(setImmediate);
  process.off('warning', remember);
  expect(warnings).toEqual([]);
});

it('begins no model call that a limiter lets in after the stop', async () => {
  const controller = new AbortController();
  const late = deafLimiter();
  const { ended, model } = start('Done.', { modelLimiter: late, signal: controller.signal });
  await new Promise(setImmediate);
  controller.abort();
  late.open();
  expect(await ended).toMatchObject({ stopReason: 'aborted', turnsUsed: 0 });
  expect(model.calls).toHaveLength(0);
});

it('begins no tool that a limiter lets in after the stop', async () => {
  const controller = new AbortController();
  const late = deafLimiter();
  const { ended } = start(callEcho, { toolLimiter: late, signal: controller.signal });
  await new Promise(setImmediate);
  controller.abort();
  late.open();
  expect(toolContents(await ended)).toEqual([expect.stringContaining('not run')]);
});

it('answers a call whose limiter is broken, and goes on', async () => {
  const broken = { ...manualLimiter(), run: () => Promise.reject(new Error('no slots')) };
  const { result } = await play([callEcho, 'Done.'], { toolLimiter: broken });
  expect(result.stopReason).toBe('natural');
  expect(result.toolErrors).toMatchObject([{ error: 'Error: no slots' }]);
});
