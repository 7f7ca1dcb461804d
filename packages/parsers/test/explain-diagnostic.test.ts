import { expect, it } from 'vitest';
import { explainDiagnostic, getParser } from '../src/index.ts';
import type { ParseOptions } from '../src/types.ts';

const cases: readonly (readonly [string, string, string, ParseOptions])[] = [
  [
    'hermes',
    'Look:\n <tool_call>{"name": "ls", "arguments": {"path": "/t',
    'The text ends inside the call of ls, which was dropped (line 2, column 2).',
    {},
  ],
  [
    'hermes',
    '<tool_call>{"name": "ls", "arguments": [1]}</tool_call>',
    'The arguments of the call of ls are no JSON object, and it was dropped (line 1, column 12).',
    {},
  ],
  [
    'hermes',
    'a </tool_call>',
    'A marker opens or closes nothing and was removed (line 1, column 3).',
    {},
  ],
  [
    'glm45',
    '<tool_call>f\n<arg_key>n</arg_key>\n<arg_value>x</arg_value>\n</tool_call>',
    'The parameter n of the call of f does not fit its declared type and was kept as a string (line 3, column 12).',
    {
      tools: [
        {
          type: 'function',
          function: { name: 'f', parameters: { properties: { n: { type: 'integer' } } } },
        },
      ],
    },
  ],
];

it.each(cases)('%s, %j: %s', (format, text, sentence, options) => {
  const [diagnostic] = getParser(format).parse(text, options).diagnostics;
  expect(diagnostic && explainDiagnostic(diagnostic, text)).toBe(sentence);
});

it('leaves the place to those who do not give the text', () => {
  const [diagnostic] = getParser('hermes').parse(
    '<tool_call>{"name": " "}</tool_call>',
  ).diagnostics;
  expect(diagnostic && explainDiagnostic(diagnostic)).toBe(
    'A call has no name that is a string with text in it, and was dropped.',
  );
});
