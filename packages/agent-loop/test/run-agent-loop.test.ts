import { HermesError } from '@hermes/protocol';
import { expect, it } from 'vitest';
import { callEcho, echo, play, roles, toolContents } from './_kit/play.ts';

it('ends naturally after one turn when the model answers in text', async () => {
  const { result } = await play('Done.');
  expect(result).toMatchObject({ stopReason: 'natural', turnsUsed: 1, error: null });
  expect(result.messages.at(-1)).toEqual({ role: 'assistant', content: 'Done.' });
});

it('runs a tool and asks again', async () => {
  const { result, model } = await play([callEcho, 'Done.']);
  expect(roles(result)).toEqual(['user', 'assistant', 'tool', 'assistant']);
  expect(result).toMatchObject({ stopReason: 'natural', turnsUsed: 2 });
  expect(toolContents(result)).toEqual(['{"text":"hi"}']);
  expect(model.calls[1]?.request.messages).toEqual(result.messages.slice(0, 3));
});

it('stops a model that never stops calling after maxTurns', async () => {
  const { result } = await play(callEcho, { limits: { maxTurns: 3 } });
  expect(result).toMatchObject({ stopReason: 'max_turns', turnsUsed: 3, error: null });
  expect(roles(result)).toEqual(['user', ...Array(3).fill(['assistant', 'tool']).flat()]);
});

it('gives a model 30 turns unless told otherwise', async () => {
  const { result } = await play(callEcho);
  expect(result).toMatchObject({ stopReason: 'max_turns', turnsUsed: 30 });
});

it('ends in one turn when the server answers nothing', async () => {
  const { result } = await play({ error: 'EMPTY_RESPONSE' });
  expect(result).toMatchObject({ stopReason: 'empty_response', turnsUsed: 1 });
  expect(result.error?.code).toBe('EMPTY_RESPONSE');
});

it('ends in one turn when the server fails, and says how', async () => {
  const { result } = await play({ error: 'AUTH' });
  expect(result).toMatchObject({ stopReason: 'server_error', turnsUsed: 1 });
  expect(result.error).toMatchObject({ boundary: 'model', code: 'AUTH' });
  expect(roles(result)).toEqual(['user']);
});

it('treats any thrown thing as a failed server', async () => {
  const { result } = await play(new TypeError('broken adapter'));
  expect(result.error).toMatchObject({ code: 'SERVER', message: 'TypeError: broken adapter' });
});

it('forwards tools, extra body, template arguments and sampling as they are', async () => {
  const extraBody = { provider: { order: ['a'] } };
  const templateArguments = { enable_thinking: false };
  const sampling = { temperature: 0.5, maxTokens: 9 };
  const { model } = await play('Done.', { extraBody, templateArguments, sampling });
  expect(model.calls[0]?.request).toEqual({
    messages: [{ role: 'user', content: 'Begin.' }],
    tools: [echo.schema],
    extraBody,
    templateArguments,
    sampling,
  });
});

it('sends no tools when there are none', async () => {
  const { model } = await play('Done.', { tools: [] });
  expect(model.calls[0]?.request).not.toHaveProperty('tools');
});

it('keeps reasoning in the history under one name', async () => {
  const { result } = await play([{ ...callEcho, reasoning: 'Think.' }, 'Done.']);
  expect(result.messages[1]).toMatchObject({ content: '', reasoning_content: 'Think.' });
  expect(result.messages[3]).not.toHaveProperty('reasoning_content');
});

it("leaves the caller's messages alone", async () => {
  const messages = Object.freeze([Object.freeze({ role: 'user', content: 'Begin.' } as const)]);
  const { result } = await play([callEcho, 'Done.'], { messages });
  expect(messages).toHaveLength(1);
  expect(result.messages).toHaveLength(4);
});

it('never changes the messages of a request after it was sent', async () => {
  const lengths: number[] = [];
  const { model } = await play([callEcho, callEcho, 'Done.']);
  for (const call of model.calls) lengths.push(call.request.messages.length);
  expect(lengths).toEqual([1, 3, 5]);
});

it.each([
  ['two tools of one name', { tools: [echo, echo] }],
  ['no turns at all', { limits: { maxTurns: 0 } }],
  ['half a token', { limits: { maxOutputTokens: 0.5 } }],
  ['a limit that is no number', { limits: { maxCostUsd: Number.NaN } }],
  ['a deadline in the past', { limits: { deadlineMs: -1 } }],
  ['a rollout id that is no file name', { identity: { rolloutId: '../x' } }],
  ['an invocation id that is none', { identity: { rolloutId: 'x', invocationId: 'a/b' } }],
])('refuses %s', async (_name, options) => {
  const error = await play('Done.', options).catch((reason: unknown) => reason);
  expect(HermesError.isInstance(error) && error.code).toBe('CONFIG');
});
