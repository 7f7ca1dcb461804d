import { expect, it } from 'vitest';
import type { ChatRequest, ChatResult, Message, ModelCallContext } from '../src/index.ts';
import { type ScriptedTokenModel, scriptedTokenModel } from '../src/testing/index.ts';

const context: ModelCallContext = {
  signal: new AbortController().signal,
  rolloutId: 'rollout_1',
  invocationId: 'root',
  turn: 1,
  purpose: 'policy',
  split: 'train',
};

async function ask(
  model: ScriptedTokenModel,
  messages: readonly Message[],
  changes: Partial<ModelCallContext> = {},
): Promise<ChatResult> {
  const request: ChatRequest = { messages, sampling: {} };
  for await (const event of model.chat(request, { ...context, ...changes }))
    if (event.type === 'result') return event.result;
  throw new Error('no result');
}

const question: Message = { role: 'user', content: 'Why?' };
const more: Message = { role: 'user', content: 'And?' };

it('extends one segment as long as the history goes on', async () => {
  const model = scriptedTokenModel(['Because.', 'So.']);
  const first = await ask(model, [question]);
  const second = await ask(model, [question, first.message, more]);
  const [segment, ...others] = model.segments();
  expect(others).toEqual([]);
  expect(String.fromCodePoint(...(segment?.ids ?? []))).toBe(
    'user: Why?\nassistant: Because.\nuser: And?\nassistant: So.\n',
  );
  expect(first.tokens).toMatchObject({ segment: 0, promptEnd: 11, end: 31 });
  expect(second.tokens).toMatchObject({ segment: 0, promptEnd: 42, end: 57 });
});

it('masks context with -100 and log-prob 1, and gives what was sampled its id and a log-prob of at most 0', async () => {
  const model = scriptedTokenModel('Because.');
  await ask(model, [question]);
  const [segment] = model.segments();
  for (const [place, id] of (segment?.ids ?? []).entries()) {
    const isContext = place < 11;
    expect(segment?.mask[place]).toBe(isContext ? -100 : id);
    if (isContext) expect(segment?.logprobs[place]).toBe(1);
    else expect(segment?.logprobs[place]).toBeLessThanOrEqual(0);
  }
});

it('opens a new segment for a rewritten history and for another invocation', async () => {
  const model = scriptedTokenModel('Yes.');
  await ask(model, [question]);
  await ask(model, [more]);
  await ask(model, [question], { invocationId: 'root.child-1' });
  expect(model.segments().map((one) => [one.invocationId, one.openedBecause])).toEqual([
    ['root', 'start'],
    ['root', 'history_rewritten'],
    ['root.child-1', 'start'],
  ]);
});

it('adds nothing for a call that failed', async () => {
  const model = scriptedTokenModel([{ content: 'Half', error: 'SERVER' }, 'Whole.']);
  await expect(ask(model, [question])).rejects.toMatchObject({ code: 'SERVER' });
  expect(model.segments()).toEqual([]);
  await ask(model, [question]);
  expect(model.segments()).toHaveLength(1);
});
