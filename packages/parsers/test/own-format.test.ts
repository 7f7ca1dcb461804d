import { expect, it } from 'vitest';
import { markedJsonParser } from '../src/index.ts';

it('reads the keys that a format of its own names, the first one that is present', () => {
  const parser = markedJsonParser({
    name: 'mine',
    opens: ['<do>'],
    close: '</do>',
    keys: { name: ['tool', 'fn'], arguments: ['with'] },
    writeBlocks: (calls) => calls.map((call) => `<do>${call}</do>`),
  });
  const text = '<do>{"fn": "ls", "with": {"a": 1.0}}</do><do>{"tool": "cat", "with": {}}</do>';
  for (const delivery of ['whole', 'incremental'] as const) {
    const stream = parser.stream({ delivery });
    for (const character of text) stream.push(character);
    const { toolCalls } = stream.finish().result;
    expect(toolCalls.map((call) => Object.values(call.function))).toEqual([
      ['ls', '{"a": 1.0}'],
      ['cat', '{}'],
    ]);
  }
});
