import { expect, it } from 'vitest';
import { extractReasoning } from '../src/index.ts';

it.each([
  [
    'reasoning_content first',
    { reasoning_content: 'a', reasoning: 'b', reasoning_details: [{ text: 'c' }] },
    'a',
  ],
  [
    'then reasoning',
    { reasoning_content: '', reasoning: 'b', reasoning_details: [{ text: 'c' }] },
    'b',
  ],
  [
    'then the first detail with a text',
    { reasoning: null, reasoning_details: [{ data: 'x' }, { text: '' }, { text: 'c' }] },
    'c',
  ],
  ['nothing', { content: '<think>not here</think>' }, null],
  ['no object', 'text', null],
])('takes %s', (_name, message, expected) => {
  expect(extractReasoning(message)).toBe(expected);
});
