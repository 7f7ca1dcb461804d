import { countingIds } from '@hermes/protocol/testing';
import { describe, expect, it } from 'vitest';
import { collectToolCalls } from '../src/collect-tool-calls.ts';

type Expected = readonly (readonly [id: string, name: string, text: string])[];

const MADE = 'call_000000000000000000000001';

/** How servers cut calls into deltas, and the calls that are meant. */
const STREAMS: readonly (readonly [string, readonly unknown[], Expected])[] = [
  [
    'vLLM: name and arguments in two entries with one index',
    [
      { id: 'a', index: 0, function: { name: 'now' } },
      { index: 0, function: { arguments: '{}' } },
    ],
    [['a', 'now', '{}']],
  ],
  [
    'pieces of two calls that take turns',
    [
      { index: 0, id: 'a', function: { name: 'x', arguments: '{' } },
      { index: 1, id: 'b', function: { name: 'y', arguments: '[' } },
      { index: 0, function: { arguments: '}' } },
      { index: 1, function: { arguments: ']' } },
    ],
    [
      ['a', 'x', '{}'],
      ['b', 'y', '[]'],
    ],
  ],
  [
    'every parallel call under the index 0',
    [
      { index: 0, id: 'a', function: { name: 'x', arguments: '{}' } },
      { index: 0, id: 'b', function: { name: 'y', arguments: '{}' } },
    ],
    [
      ['a', 'x', '{}'],
      ['b', 'y', '{}'],
    ],
  ],
  [
    'id and name with every piece',
    [
      { index: 0, id: 'a', function: { name: 'view', arguments: '{"a"' } },
      { index: 0, id: 'a', function: { name: 'view', arguments: ':1}' } },
    ],
    [['a', 'view', '{"a":1}']],
  ],
  [
    'a name in pieces',
    [
      { index: 0, id: 'a', function: { name: 'get_' } },
      { index: 0, function: { name: 'weather', arguments: '{}' } },
    ],
    [['a', 'get_weather', '{}']],
  ],
  [
    'an id that comes late',
    [
      { index: 0, function: { name: 'x' } },
      { index: 0, id: 'late', function: { arguments: '{}' } },
    ],
    [['late', 'x', '{}']],
  ],
  [
    'no index: the id tells',
    [
      { id: 'a', function: { name: 'x', arguments: '{' } },
      { id: 'b', function: { name: 'y', arguments: '{' } },
      { id: 'a', function: { arguments: '}' } },
      { id: 'b', function: { arguments: '}' } },
    ],
    [
      ['a', 'x', '{}'],
      ['b', 'y', '{}'],
    ],
  ],
  [
    'neither index nor id',
    [{ function: { name: 'x', arguments: '{' } }, { function: { arguments: '}' } }],
    [[MADE, 'x', '{}']],
  ],
  [
    'arguments as an object',
    [{ index: 0, id: 'a', function: { name: 'x', arguments: { b: 1 } } }],
    [['a', 'x', '{"b":1}']],
  ],
  [
    'no arguments',
    [{ index: 0, id: 'a', function: { name: 'x', arguments: null } }],
    [['a', 'x', '']],
  ],
  ['name and arguments at the top', [{ id: 'a', name: 'x', arguments: '{}' }], [['a', 'x', '{}']]],
  ['no name', [{ index: 0, id: 'a', function: { arguments: '{}' } }], [['a', '', '{}']]],
  ['an entry that is none', [null], [[MADE, '', '']]],
];

describe('tool calls from deltas', () => {
  it.each(STREAMS)('%s', (_server, entries, expected) => {
    const collector = collectToolCalls(countingIds());
    const deltas = entries.flatMap((entry) => collector.add(entry));
    const calls = collector.calls();
    expect(calls.map((call) => [call.id, call.function.name, call.function.arguments])).toEqual(
      expected,
    );
    for (const [index, call] of calls.entries()) {
      const pieces = deltas.flatMap((delta) =>
        delta.type === 'tool_call_delta' && delta.index === index ? [delta.arguments] : [],
      );
      expect(pieces.join('')).toBe(call.function.arguments);
      expect(
        deltas.filter((delta) => delta.type === 'tool_call_start' && delta.index === index),
      ).toHaveLength(1);
    }
  });
});
