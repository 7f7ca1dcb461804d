import type { JsonObject } from '@hermes/protocol';
import { seededRandom } from '@hermes/protocol/testing';
import { beforeEach, expect, it } from 'vitest';
import { resolveToolsets, todoToolset } from '../src/index.ts';
import { memorySandbox, openTools, resourcesOf, type TestTools } from './support/rollout.ts';

let tools: TestTools;
const open = async (): Promise<TestTools> =>
  await openTools(resourcesOf(await memorySandbox()), [todoToolset()]);
const todo = async (args: JsonObject): Promise<JsonObject> =>
  (await tools.call('todo', args)).document;
const item = (id: string, content: string, status = 'pending'): JsonObject => ({
  id,
  content,
  status,
});

beforeEach(async () => {
  tools = await open();
});

it('starts empty and gives back what was written, with a summary', async () => {
  const summary = { total: 0, pending: 0, in_progress: 0, completed: 0, cancelled: 0 };
  expect(await todo({})).toEqual({ todos: [], summary });
  const todos = [item('1', 'a', 'completed'), item('2', 'b', 'in_progress'), item('3', 'c')];
  const written = {
    todos,
    summary: { ...summary, total: 3, pending: 1, in_progress: 1, completed: 1 },
  };
  expect(await todo({ todos })).toEqual(written);
  expect(await todo({})).toEqual(written);
});

it('replaces the whole list, and an empty one clears it', async () => {
  await todo({ todos: [item('1', 'a'), item('2', 'b')] });
  expect(await todo({ todos: [item('3', 'c')] })).toMatchObject({ todos: [item('3', 'c')] });
  expect(await todo({ todos: [] })).toMatchObject({ todos: [] });
});

it('merges by id: only what is given changes, new ids come last, none without an id', async () => {
  await todo({ todos: [item('1', 'a'), item('2', 'b')] });
  const given = [{ id: '3', content: 'c' }, { id: '1', status: 'completed' }, { content: 'lost' }];
  const { todos } = await todo({ todos: given, merge: true });
  expect(todos).toEqual([item('1', 'a', 'completed'), item('2', 'b'), item('3', 'c')]);
});

it('fills in what is missing or unknown, and lets the last of several ids win', async () => {
  const given = [
    {},
    { id: 7, content: ' x ', status: 'DONE' },
    item('a', 'one'),
    item('b', 'two'),
    item('a', 'three'),
  ];
  const { todos } = await todo({ todos: given });
  expect(todos).toEqual([
    item('?', '(no description)'),
    item('7', 'x'),
    item('b', 'two'),
    item('a', 'three'),
  ]);
});

it.each([[{ todos: 'buy milk' }], [{ todos: ['buy milk'] }], [{ todos: [], merge: 'yes' }]])(
  'answers %j with an error and keeps the list',
  async (args) => {
    await todo({ todos: [item('1', 'a')] });
    const { result } = await tools.call('todo', args);
    expect(result).toMatchObject({ status: 'failed', error: { code: 'INVALID_ARGUMENTS' } });
    expect(await todo({})).toMatchObject({ todos: [item('1', 'a')] });
  },
);

it('is another list in every rollout, and a part of a catalog like the others', async () => {
  await todo({ todos: [item('1', 'a')] });
  tools = await open();
  expect(await todo({})).toMatchObject({ todos: [] });
  const catalog = { toolsets: new Map([['todo', todoToolset()]]), includes: {} };
  const { toolsets, warnings } = resolveToolsets(catalog, { enabled: ['todo'] }, seededRandom(1));
  expect([toolsets.map(({ name }) => name), warnings]).toEqual([['todo'], []]);
});
