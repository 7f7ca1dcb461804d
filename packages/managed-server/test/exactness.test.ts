import type { Message } from '@hermes/protocol';
import { seededRandom } from '@hermes/protocol/testing';
import { expect, it } from 'vitest';
import { ask, openSession, WEATHER } from './_support/session.ts';
import { smallTokenizer } from './_support/small-tokenizer.ts';
import { OPEN_ENDED } from './_support/templates.ts';

const tokenizer = smallTokenizer();
const END = tokenizer.encode('<|im_end|>')[0] ?? -1;
const user = (content: string): Message => ({ role: 'user', content });

/** Ids of a text cut into tokens in a way in which no tokenizer would. */
function oddIds(next: () => number): number[] {
  const texts = ['hello', ' the', 'thing', ' 😀', 'é', '{"a": "b"}', '\n\n', ' running on'];
  const chosen = Array.from(
    { length: 1 + Math.floor(next() * 4) },
    () => texts[Math.floor(next() * texts.length)],
  );
  const bytes = Buffer.from(chosen.join(''));
  const single = [...bytes].map((byte) => byteId(byte));
  return next() < 0.5 ? single : tokenizer.encode(chosen.join(''));
}

/** The id of the token of one byte: those of plain letters are known, the others follow by decoding. */
const byteIds = new Map(
  Array.from({ length: tokenizer.vocabularySize }, (_, id) => id).flatMap((id) => {
    const pieces = tokenizer.decode([id]);
    return pieces.length === 1 && pieces !== '\ufffd' ? [[pieces.charCodeAt(0), id] as const] : [];
  }),
);
function byteId(byte: number): number {
  const known = byteIds.get(byte);
  if (byte < 0x80 && known !== undefined) return known;
  const [first] = tokenizer.encode(String.fromCodePoint(0x10000 + byte)).slice(-1);
  return first ?? END;
}

it('stays exact over five turns whatever the sampled text would be tokenized to', async () => {
  const random = seededRandom(7);
  const next = () => random.next();
  let different = 0;
  for (let round = 0; round < 15; round += 1) {
    const sampled = Array.from({ length: 5 }, () => oddIds(next));
    const isEnded = sampled.map(() => next() < 0.7);
    const opened = await openSession(
      sampled.map((ids, turn) => ({
        ids: isEnded[turn] ? [...ids, END] : ids,
        finish: isEnded[turn]
          ? { type: 'stop', matchedId: END, matchedText: null }
          : { type: 'length' },
      })),
      { tokenizer },
    );
    const messages: Message[] = [];
    for (const [turn, ids] of sampled.entries()) {
      messages.push(user(`question ${turn}`));
      const { message, tokens } = await ask(opened, messages);
      messages.push(message);
      const segment = opened.session.segments()[tokens?.segment ?? 0];
      const recorded = segment?.ids.slice(tokens?.promptEnd, tokens?.end);
      expect(recorded).toEqual(isEnded[turn] ? [...ids, END] : ids);
      if (tokenizer.encode(tokenizer.decode(ids)).join() !== ids.join()) different += 1;
    }
    const segments = opened.session.segments();
    expect(segments).toHaveLength(1);
    const ids = segments[0]?.ids ?? [];
    expect(ids.some((id, at) => id === END && ids[at + 1] === END)).toBe(false);
    expect(ids.filter((id) => id === END)).toHaveLength(isEnded.at(-1) ? 10 : 9);
  }
  expect(different).toBeGreaterThan(10);
});

it('goes on behind a limit in the middle of a character', async () => {
  const smile = tokenizer.encode('😀');
  const opened = await openSession([
    { ids: smile.slice(0, 2), finish: { type: 'length' } },
    'hello',
  ]);
  const first = await ask(opened, [user('a')]);
  expect(first.finishReason).toBe('length');
  expect(first.message.content).toBe('\ufffd');
  await ask(opened, [user('a'), first.message, user('b')]);
  const [segment] = opened.session.segments();
  expect(opened.session.segments()).toHaveLength(1);
  const { promptEnd = 0, end = 0 } = first.tokens ?? {};
  expect(segment?.ids.slice(promptEnd, end + 1)).toEqual([...smile.slice(0, 2), END]);
  expect(segment?.mask[end]).toBe(-100);
});

it('goes on behind a limit in the middle of a call, and says that it was cut', async () => {
  const cut = '<tool_call>\n{"name": "get_weather", "arguments": {"ci';
  const opened = await openSession([
    { text: cut, endsTurn: false, finish: { type: 'length' } },
    'hello',
  ]);
  const first = await ask(opened, [user('a')], { tools: [WEATHER] });
  expect(first.finishReason).toBe('length');
  expect(first.message.tool_calls).toBeUndefined();
  expect(first.notes).toContainEqual(
    expect.objectContaining({ code: 'truncated_call', level: 'error' }),
  );
  await ask(opened, [user('a'), first.message, user('b')], { tools: [WEATHER] });
  expect(opened.session.segments()).toHaveLength(1);
});

it('never makes an abort or a limit into a stop, calls or not', async () => {
  const call = '<tool_call>\n{"name": "get_weather", "arguments": {}}\n</tool_call>';
  for (const type of ['length', 'abort'] as const) {
    const opened = await openSession([{ text: call, endsTurn: false, finish: { type } }]);
    const result = await ask(opened, [user('a')], { tools: [WEATHER] });
    expect(result.message.tool_calls).toHaveLength(1);
    expect(result.finishReason).toBe(type);
  }
});

it('cuts a stop text off the answer and keeps its tokens', async () => {
  const finish = { type: 'stop', matchedId: null, matchedText: 'END' } as const;
  const opened = await openSession([{ text: 'hello END', endsTurn: false, finish }, 'more']);
  const first = await ask(opened, [user('a')], { sampling: { stop: ['END'] } });
  expect(first.message.content).toBe('hello ');
  await ask(opened, [user('a'), first.message, user('b')]);
  const text = tokenizer.decode(opened.session.segments()[0]?.ids ?? []);
  expect(text).toContain('hello END<|im_end|>\n<|im_start|>user\nb');
});

it('does not say the opening of the next turn twice where the model says it itself', async () => {
  const ended = smallTokenizer(OPEN_ENDED, { endTokens: ['<|user|>', '<|observation|>'] });
  const [userId, resultId] = ended.turnEndIds;
  const call = ended.encode('<tool_call>\n{"name": "get_weather", "arguments": {}}\n</tool_call>');
  const opened = await openSession(
    [
      {
        ids: [...call, resultId ?? 0],
        finish: { type: 'stop', matchedId: resultId ?? 0, matchedText: null },
      },
      { ids: [...ended.encode('hello'), userId ?? 0] },
      'x',
    ],
    { tokenizer: ended },
  );
  const first = await ask(opened, [user('a')], { tools: [WEATHER] });
  const id = first.message.tool_calls?.[0]?.id ?? '';
  const messages: Message[] = [
    user('a'),
    first.message,
    { role: 'tool', tool_call_id: id, content: 'sun' },
  ];
  const second = await ask(opened, messages, { tools: [WEATHER] });
  await ask(opened, [...messages, second.message, user('b')], { tools: [WEATHER] });
  const segments = opened.session.segments();
  expect(segments).toHaveLength(1);
  expect(ended.decode(segments[0]?.ids ?? [])).toContain(
    '</tool_call><|observation|>\nsun<|assistant|>hello<|user|>\nb<|assistant|>',
  );
});

it('opens a segment where the model ended its turn by another opening than the one that follows', async () => {
  const ended = smallTokenizer(OPEN_ENDED, { endTokens: ['<|user|>', '<|observation|>'] });
  const opened = await openSession(
    [{ ids: [...ended.encode('hm'), ended.turnEndIds[1] ?? 0] }, 'x'],
    { tokenizer: ended },
  );
  const first = await ask(opened, [user('a')]);
  await ask(opened, [user('a'), first.message, user('b')]);
  expect(opened.session.segments().map(({ openedBecause }) => openedBecause)).toEqual([
    'start',
    'template_not_append_only',
  ]);
});
