import { expect, it } from 'vitest';
import type { AssistantParts } from '../src/index.ts';
import { echo, play, toolContents } from './_kit/play.ts';

/** Reads `<<name arguments>>`; the marker is `<<`. */
function parse(text: string): AssistantParts | null {
  if (!text.includes('<<')) return null;
  const calls = [...text.matchAll(/<<(\w+) (.*?)>>/g)].map(([, name = '', raw = '']) => ({
    id: '',
    name,
    arguments: raw,
  }));
  return { content: text.replace(/<<.*?>>/g, ''), reasoning: 'parsed', calls };
}

it('reads calls out of text and keeps in the content only what the parser left', async () => {
  const { result } = await play(['Look: <<echo {"a":1}>>', 'Done.'], { parseFallback: parse });
  expect(result.messages[1]).toMatchObject({
    content: 'Look: ',
    reasoning_content: 'parsed',
    tool_calls: [{ function: { name: 'echo', arguments: '{"a":1}' } }],
  });
  expect(toolContents(result)).toEqual(['{"a":1}']);
});

it('takes the text as the answer when the parser finds no call in it', async () => {
  const { result } = await play('1 << 2', { parseFallback: parse });
  expect(result).toMatchObject({ stopReason: 'natural', turnsUsed: 1 });
  expect(result.messages[1]).toEqual({ role: 'assistant', content: '1 << 2' });
});

it('takes the text as the answer when the parser fails', async () => {
  const { result, effects } = await play('Done.', {
    parseFallback: () => {
      throw new Error('bug');
    },
  });
  expect(result.stopReason).toBe('natural');
  expect(effects.logger.entries).toMatchObject([{ level: 'warn' }]);
});

it.each([
  ['the message has calls', { content: '<<echo {}>>', calls: [{ name: 'echo' }] }, [echo]],
  ['the text is empty', '', [echo]],
  ['there are no tools', '<<echo {}>>', []],
])('does not ask the parser when %s', async (_name, turn, tools) => {
  let asked = 0;
  await play([turn, 'Done.'], {
    tools,
    parseFallback: (text) => {
      if (text !== 'Done.') asked += 1;
      return null;
    },
  });
  expect(asked).toBe(0);
});
