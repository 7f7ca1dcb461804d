import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type JsonSchema, type Message, ModelError, type Tool } from '@hermes/protocol';
import { scriptedModel, scriptedTokenModel } from '@hermes/protocol/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  createEffects,
  type FinishedGroup,
  type OpenModel,
  openTrainingFile,
  processRollouts,
  type TrainingFileOptions,
  type TrainingLineKind,
  trainingLineSchema,
} from '../src/index.ts';
import { optionsOf, plainEnvironment, quickEffects } from './_support/harness.ts';
import { temporaryFolder } from './_support/temporary-folder.ts';

const look: Tool = {
  schema: { type: 'function', function: { name: 'look', parameters: { type: 'object' } } },
  parallel: true,
  execute: async () => ({ status: 'completed', content: '{"seen":"<b>sea</b>"}' }),
};

const turns = [
  { reasoning: 'Eyes first.', calls: [{ name: 'look', arguments: { at: 'sea' } }] },
  { content: 'It is <blue> & wide.' },
];

/** Groups as a real run finishes them: one tool call, two turns, and the reward of the item. */
async function played(
  changes: { open?: OpenModel; size?: number; items?: number } = {},
): Promise<FinishedGroup[]> {
  const groups: FinishedGroup[] = [];
  const { open = () => scriptedTokenModel(turns), size = 1, items = 3 } = changes;
  await processRollouts({
    ...optionsOf({
      open,
      effects: { ...quickEffects(), newId: createEffects().newId },
      environment: plainEnvironment({
        async *items() {
          for (let index = 0; index < items; index += 1) yield { id: `item-${index}`, data: index };
        },
        prompt: ({ data }) => [{ role: 'user', content: `What do you see from ${data}?` }],
        toolsets: [{ name: 'eyes', toolNames: ['look'], open: async () => ({ tools: [look] }) }],
        computeReward: async ({ data }) => data / 2,
      }),
    }),
    groupSize: size,
    write: async (group) => void groups.push(group),
  });
  return groups;
}

async function written(groups: readonly FinishedGroup[], options: TrainingFileOptions = {}) {
  const path = join(await temporaryFolder(), 'out.jsonl');
  const file = await openTrainingFile(path, options);
  await Promise.all(groups.map(file.write)).finally(file.close);
  return { path, file };
}

async function linesOf(path: string): Promise<Record<string, unknown>[]> {
  const text = await readFile(path, 'utf8');
  expect(text === '' || text.endsWith('\n')).toBe(true);
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

const kinds: readonly [TrainingLineKind, TrainingFileOptions][] = [
  ['messages', {}],
  ['sharegpt', { format: 'sharegpt' }],
  ['tokens', { format: 'tokens' }],
  ['groups', { lines: 'groups' }],
  ['groups', { lines: 'groups', format: 'tokens' }],
];

describe.each(kinds)('%s (%j)', (kind, options) => {
  it('writes lines that fit their published schema', async () => {
    const { path } = await written(await played({ size: 2 }), options);
    const schema = z.fromJSONSchema(trainingLineSchema(kind));
    const lines = await linesOf(path);
    expect(lines).toHaveLength(kind === 'groups' ? 3 : 6);
    for (const line of lines) schema.parse(line);
  });

  it('is published as it is', async () => {
    const file = new URL(`../schemas/${kind}.json`, import.meta.url);
    const stored: JsonSchema = JSON.parse(await readFile(file, 'utf8'));
    expect(trainingLineSchema(kind)).toEqual(stored);
  });

  it('refuses a line with something missing', async () => {
    const { path } = await written(await played(), options);
    const schema = z.fromJSONSchema(trainingLineSchema(kind));
    const [{ itemId: _itemId, ...line } = {}] = await linesOf(path);
    expect(schema.safeParse(line).success).toBe(false);
  });

  it('writes nothing twice when the same groups come again', async () => {
    const groups = await played({ size: 2 });
    const { path } = await written(groups, options);
    const before = await readFile(path, 'utf8');
    const again = await openTrainingFile(path, { ...options, resume: true });
    for (const group of groups) await again.write(group);
    await again.close();
    expect(await readFile(path, 'utf8')).toBe(before);
    expect(again.counts()).toMatchObject({ written: 0, found: before.split('\n').length - 1 });
  });

  it('shows every trajectory on a page, as text and never as markup', async () => {
    const groups = await played({ size: 2 });
    const { file } = await written(groups, options);
    const page = await readFile(file.page ?? '', 'utf8');
    expect(page.match(/<details /g)).toHaveLength(3);
    expect(page.match(/<article /g)).toHaveLength(6);
    expect(page).toContain('id="group-2-item-1" class="reward-positive"');
    expect(page).toContain('class="reward-zero"');
    expect(page).not.toMatch(/<blue>|<b>/);
  });
});

it('writes the conversation with its tools as messages', async () => {
  const [group] = await played({ items: 1 });
  const { path } = await written(group ? [group] : []);
  const [line] = await linesOf(path);
  const record = group?.members[0]?.record;
  expect(line).toMatchObject({
    id: record?.rolloutId,
    groupId: group?.groupId,
    itemId: 'item-0',
    model: 'scripted',
    messages: record?.agent?.messages,
    tools: JSON.stringify([look.schema]),
  });
});

it('writes rewards with a decimal point, so that no reader takes the column for integers', async () => {
  const { path } = await written(await played());
  expect((await readFile(path, 'utf8')).match(/"reward":[^}]*/g)).toEqual([
    '"reward":0.0',
    '"reward":0.5',
    '"reward":1.0',
  ]);
});

it('writes turns with reasoning, calls and results in tags as sharegpt', async () => {
  const { path } = await written(await played({ items: 1 }), { format: 'sharegpt' });
  const [line] = await linesOf(path);
  expect(line?.conversations).toEqual([
    { from: 'human', value: 'What do you see from 0?' },
    {
      from: 'gpt',
      value:
        '<think>\nEyes first.\n</think>\n<tool_call>\n{"name":"look","arguments":{"at":"sea"}}\n</tool_call>',
    },
    {
      from: 'tool',
      value: '<tool_response>\n{"name":"look","content":{"seen":"<b>sea</b>"}}\n</tool_response>',
    },
    { from: 'gpt', value: 'It is <blue> & wide.' },
  ]);
});

it('writes ids, masks and log-probs as the model sampled them', async () => {
  const [group] = await played({ items: 1 });
  const { path } = await written(group ? [group] : [], { format: 'tokens' });
  const [segment] = group?.members[0]?.record.segments ?? [];
  expect(await linesOf(path)).toMatchObject([
    {
      segment: 0,
      invocation: 'root',
      tokens: segment?.ids,
      masks: segment?.mask,
      logprobs: segment?.logprobs,
    },
  ]);
});

it('writes every segment of a rollout whose history was rewritten, each with its reward', async () => {
  const groups = await played({ items: 2, open: () => scriptedTokenModel(turns) });
  const [first, second] = groups.map(({ members }) => members[0]?.record);
  const both = [...(first?.segments ?? []), ...(second?.segments ?? [])].map((segment, index) => ({
    ...segment,
    index,
  }));
  const rewritten = groups.slice(1).map((group) => ({
    ...group,
    members: group.members.map((member) => ({
      ...member,
      record: { ...member.record, segments: both },
    })),
  }));
  const { path } = await written(rewritten, { format: 'tokens' });
  expect(await linesOf(path)).toMatchObject([
    { segment: 0, reward: 0.5 },
    { segment: 1, reward: 0.5 },
  ]);
  const grouped = await written(rewritten, { lines: 'groups' });
  expect(await linesOf(grouped.path)).toMatchObject([
    { scores: [0.5, 0.5], rollouts: [second?.rolloutId, second?.rolloutId] },
  ]);
});

it('has no line of tokens for a rollout whose prompt left the model no room', async () => {
  const overflow = new ModelError('CONTEXT_OVERFLOW', 'too long');
  const groups = await played({ open: () => scriptedTokenModel(overflow) });
  const { path } = await written(groups, { format: 'tokens' });
  expect(await readFile(path, 'utf8')).toBe('');
});

it('refuses to write tokens of a model that gives none, and marks its groups', async () => {
  const groups = await played({ open: () => scriptedModel(turns) });
  await expect(written(groups, { format: 'tokens' })).rejects.toMatchObject({ code: 'NO_TOKENS' });
  const placeholders = await played({
    open: () => scriptedTokenModel(turns, { source: 'placeholder' }),
  });
  await expect(written(placeholders, { format: 'tokens' })).rejects.toMatchObject({
    code: 'NO_TOKENS',
  });
  const { path } = await written(groups, { lines: 'groups' });
  expect((await linesOf(path))[0]).toMatchObject({ trainable: false, tokens: [[]], masks: [[]] });
});

it.each([
  [{ format: 'messages' }, { format: 'sharegpt' }],
  [{ format: 'tokens' }, { format: 'messages' }],
  [{ lines: 'groups' }, { lines: 'trajectories' }],
  [{ format: 'messages' }, { lines: 'groups' }],
  [{ lines: 'groups', format: 'tokens' }, { lines: 'groups' }],
] as const)('does not append to lines of another kind (%o, then %o)', async (before, after) => {
  const { path } = await written(await played(), before);
  const text = await readFile(path, 'utf8');
  await expect(openTrainingFile(path, { ...after, resume: true })).rejects.toMatchObject({
    code: 'TRAINING_FILE',
    message: expect.stringContaining('--format'),
  });
  expect(await readFile(path, 'utf8')).toBe(text);
});

it('leaves out conversations that the file has already, also after a resume', async () => {
  const groups = await played({ size: 3, open: () => scriptedModel(turns) });
  const { path, file } = await written(groups, { dedupe: true });
  expect(file.counts()).toEqual({ found: 0, written: 3, duplicates: 6 });
  const more = await played({ items: 4, open: () => scriptedModel(turns) });
  const again = await openTrainingFile(path, { dedupe: true, resume: true });
  for (const group of more) await again.write(group);
  await again.close();
  expect(again.counts()).toEqual({ found: 3, written: 1, duplicates: 3 });
});

it('tells conversations apart by what was said, not by the ids of their calls', async () => {
  const withIds = (id: string) => () =>
    scriptedModel([{ calls: [{ id, name: 'look', arguments: {} }] }, 'Blue.']);
  const groups = [
    ...(await played({ items: 1, open: withIds('call_a') })),
    ...(await played({ items: 1, open: withIds('call_b') })).map((group) => ({
      ...group,
      members: group.members.map((member) => ({
        ...member,
        record: { ...member.record, rolloutId: 'another' },
      })),
    })),
  ];
  const { file } = await written(groups, { dedupe: true });
  expect(file.counts()).toMatchObject({ written: 1, duplicates: 1 });
});

it('puts all lines of an item into one part of a split', async () => {
  const groups = await played({ items: 100, size: 2 });
  const split = { train: 0.8, validation: 0.2 };
  const { path, file } = await written(groups, { split });
  expect(file.paths).toEqual(
    ['train', 'validation'].map((name) => path.replace('.jsonl', `.${name}.jsonl`)),
  );
  const parts = await Promise.all(file.paths.map(linesOf));
  const [train = [], validation = []] = parts.map((lines) => lines.map((line) => line.itemId));
  expect(train.length + validation.length).toBe(200);
  expect(new Set(train).size * 2).toBe(train.length);
  expect(train.some((item) => validation.includes(item))).toBe(false);
  expect(validation.length / 200).toBeGreaterThan(0.1);
  expect(validation.length / 200).toBeLessThan(0.3);
});

it.each([
  { split: { train: 0.5, validation: 0.4 } },
  { split: { 'a/b': 1 } },
  { lines: 'groups', format: 'sharegpt' },
] as const)('refuses %j', async (options) => {
  const path = join(await temporaryFolder(), 'out.jsonl');
  await expect(openTrainingFile(path, options)).rejects.toMatchObject({ code: 'CONFIG' });
});

it('never writes into a file that is there, but beside it', async () => {
  const path = join(await temporaryFolder(), 'out.jsonl');
  await writeFile(path, 'mine\n');
  await writeFile(path.replace('.jsonl', '_1.jsonl'), 'mine too\n');
  const file = await openTrainingFile(path);
  await file.close();
  expect(file.paths).toEqual([path.replace('.jsonl', '_2.jsonl')]);
  expect(await readFile(path, 'utf8')).toBe('mine\n');
});

it('makes the folder that it writes into', async () => {
  const path = join(await temporaryFolder(), 'data', 'sums', 'out.jsonl');
  const file = await openTrainingFile(path);
  for (const group of await played()) await file.write(group);
  await file.close();
  expect(await linesOf(path)).toHaveLength(3);
});

it('cuts off a line that a crash left half written, and writes it whole', async () => {
  const groups = await played();
  const { path } = await written(groups);
  const whole = await readFile(path, 'utf8');
  await writeFile(path, whole.slice(0, -20));
  const file = await openTrainingFile(path, { resume: true });
  for (const group of groups) await file.write(group);
  await file.close();
  expect(await readFile(path, 'utf8')).toBe(whole);
});

it('refuses to append to a file that holds something else', async () => {
  const { path } = await written(await played());
  await appendFile(path, 'my notes\n');
  await expect(openTrainingFile(path, { resume: true })).rejects.toMatchObject({
    code: 'TRAINING_FILE',
    message: expect.stringContaining('Line 4 of'),
  });
});

it('says which file has no space left', async () => {
  const file = await openTrainingFile('/dev/full', { resume: true, page: false });
  const [group] = await played({ items: 1 });
  if (group === undefined) throw new Error('no group');
  await expect(file.write(group)).rejects.toMatchObject({
    code: 'DISK_FULL',
    message: expect.stringContaining('No space left for /dev/full'),
  });
  await file.close();
});

it('never writes a content that is null or a list of texts', async () => {
  const [group] = await played({ items: 1 });
  const messages: readonly Message[] = [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Two ' },
        { type: 'text', text: 'parts' },
      ],
    },
    { role: 'assistant', content: null },
  ];
  const member = group?.members[0];
  if (!group || !member?.record.agent) throw new Error('no group');
  const record = { ...member.record, agent: { ...member.record.agent, messages } };
  const { path } = await written([{ ...group, members: [{ ...member, record }] }]);
  expect((await linesOf(path))[0]?.messages).toEqual([
    { role: 'user', content: 'Two parts' },
    { role: 'assistant', content: '' },
  ]);
});
