import { describe, expect, it } from 'vitest';
import { applyEdit } from '../../src/patch/apply-edit.ts';

type Case = Readonly<{
  when: string;
  strategy: string;
  text: string;
  old: string;
  next: string;
  expected: string;
}>;

const cases: readonly Case[] = [
  {
    when: 'the text is there as given',
    strategy: 'exact',
    text: 'a = 1\nb = 2\n',
    old: 'b = 2',
    next: 'b = 3',
    expected: 'a = 1\nb = 3\n',
  },
  {
    when: 'a line has trailing blanks, and keeps them where it is not changed',
    strategy: 'line_trimmed',
    text: 'if x:  \n    one()\n    two()\n',
    old: 'if x:\n    one()\n    two()',
    next: 'if x:\n    one()\n    three()',
    expected: 'if x:  \n    one()\n    three()\n',
  },
  {
    when: 'the lines are less indented than in the file',
    strategy: 'line_trimmed',
    text: 'class A:\n    def f(self):\n        return 1\n\n    def g(self): ...\n',
    old: 'def f(self):\n    return 1',
    next: 'def f(self):\n    if self.x:\n        return 2\n    return 1',
    expected:
      'class A:\n    def f(self):\n        if self.x:\n            return 2\n        return 1\n\n    def g(self): ...\n',
  },
  {
    when: 'the file is indented with tabs',
    strategy: 'line_trimmed',
    text: 'func f() {\n\tif x {\n\t\treturn\n\t}\n}\n',
    old: 'func f() {\n    if x {\n        return\n    }\n}',
    next: 'func f() {\n    if x {\n        log()\n        return\n    }\n}',
    expected: 'func f() {\n\tif x {\n\t\tlog()\n\t\treturn\n\t}\n}\n',
  },
  {
    when: 'only the old lines lost their indentation',
    strategy: 'line_trimmed',
    text: 'class A:\n    x = 1\n    y = 2\n',
    old: 'x = 1\ny = 2',
    next: '    x = 1\n    y = 3',
    expected: 'class A:\n    x = 1\n    y = 3\n',
  },
  {
    when: 'runs of blanks differ, and those of unchanged words stay',
    strategy: 'whitespace_normalized',
    text: 'int   count  = 0;  // total\n',
    old: 'int count = 0;',
    next: 'int count = 1;',
    expected: 'int   count  = 1;  // total\n',
  },
  {
    when: 'indentation differs and the last line is only begun',
    strategy: 'indentation_flexible',
    text: '        call(one,\n             two, three)\n',
    old: 'call(one,\ntwo',
    next: 'call(zero,\ntwo',
    expected: '        call(zero,\n             two, three)\n',
  },
  {
    when: 'the arguments were escaped twice',
    strategy: 'escape_normalized',
    text: 'if x:\n\treturn 1\n',
    old: 'if x:\\n\\treturn 1',
    next: 'if x:\\n\\treturn 2',
    expected: 'if x:\n\treturn 2\n',
  },
  {
    when: 'there are blanks around it that the file has not',
    strategy: 'trimmed_boundary',
    text: 'x=call(one,\n  two)+1\n',
    old: '  call(one,\n  two)  ',
    next: '  call(one,\n  three)  ',
    expected: 'x=call(one,\n  three)+1\n',
  },
  {
    when: 'the file has typographic quotes, and keeps them',
    strategy: 'unicode_normalized',
    text: 'He said \u201chello\u201d \u2014 to Bob\u2026\n',
    old: 'He said "hello" - to Bob...',
    next: 'He said "hello" - to Alice...',
    expected: 'He said \u201chello\u201d \u2014 to Alice\u2026\n',
  },
  {
    when: 'it has special blanks and quotes where the file has plain ones',
    strategy: 'unicode_normalized',
    text: 'def f():\n    say("a")\n',
    old: '\u00a0\u00a0\u00a0\u00a0say(\u201ca\u201d)',
    next: '\u00a0\u00a0\u00a0\u00a0say(\u201ca\u201d)\n\u00a0\u00a0\u00a0\u00a0say(\u201cb\u201d)',
    expected: 'def f():\n    say("a")\n    say("b")\n',
  },
  {
    when: 'blank lines around an indented one are not there',
    strategy: 'trimmed_boundary',
    text: 'all:\n\tone\n\tthree\n',
    old: '\n\tone\n\n',
    next: '\n\tone\n\ttwo\n\n',
    expected: 'all:\n\tone\n\ttwo\n\tthree\n',
  },
  {
    when: 'a line goes with a blank one that is not there',
    strategy: 'trimmed_boundary',
    text: 'a:\n  one: 1\n  two: 2\n',
    old: '  one: 1\n\n',
    next: '',
    expected: 'a:\n  two: 2\n',
  },
  {
    when: 'a line beside it was shown with a stand-in for bytes that are not UTF-8',
    strategy: 'line_trimmed',
    text: 'a = 1 # \udce9\nb = 2\n',
    old: 'a = 1 # \ufffd\nb = 2',
    next: 'a = 1 # \ufffd\nb = 3',
    expected: 'a = 1 # \udce9\nb = 3\n',
  },
  {
    when: 'a line between two anchors is remembered wrongly',
    strategy: 'block_anchor',
    text: 'def f():\n    x = 1\n    y = 2\n    return x\n',
    old: 'def f():\n    x = 1\n    y = 9\n    return x',
    next: 'def f():\n    x = 5\n    y = 9\n    return x',
    expected: 'def f():\n    x = 5\n    y = 2\n    return x\n',
  },
  {
    when: 'half of the lines are alike and one says where',
    strategy: 'context_aware',
    text: 'def total(items):\n    result = 0\n    for item in items:\n        result += item.price\n    return result\n',
    old: 'def totals(items):\n    result = 0\n    for item in items:\n        result += item.prices\n    return results',
    next: 'def totals(items):\n    result = 1\n    for item in items:\n        result += item.prices\n    return results',
    expected:
      'def total(items):\n    result = 1\n    for item in items:\n        result += item.price\n    return result\n',
  },
];

it.each(cases)('$strategy: when $when', ({ strategy, text, old, next, expected }) => {
  expect(applyEdit(text, { old, new: next })).toEqual({
    ok: true,
    text: expected,
    strategy,
    count: 1,
  });
});

describe('what stays as it is', () => {
  it.each<[string, string, string, string, string]>([
    ['CRLF around and in new lines', 'a\r\nb\r\nc\r\n', 'b', 'b\nx', 'a\r\nb\r\nx\r\nc\r\n'],
    ['CRLF over several lines', 'a\r\nb\r\nc\r\n', 'a\nb', 'a\nx', 'a\r\nx\r\nc\r\n'],
    ['each ending of a mixed file', 'a\nb\r\nc\nd', 'a\nb\nc', 'a\nb\nX\nc', 'a\nb\r\nX\nc\nd'],
    ['a byte order mark', '\ufefffirst\nsecond', '  first', '  1st', '\ufeff1st\nsecond'],
    ['a last line without newline', 'a\nb', 'b\n', 'c\n', 'a\nc'],
    ['carriage returns that are asked for', 'a\r\nb\r\n', 'a\r\n', 'a\n', 'a\nb\r\n'],
    ['trailing blanks of other lines', 'a  \nb\nc\t\n', 'b', '', 'a  \n\nc\t\n'],
    ['the line after a removed one', 'a\nb\nc\n', 'b\n', '', 'a\nc\n'],
  ])('%s', (_what, text, old, next, expected) => {
    const outcome = applyEdit(text, { old, new: next });
    expect(outcome).toMatchObject({ ok: true, text: expected });
  });
});

describe('what is refused', () => {
  it.each<[string, string, string, string, string]>([
    ['two exact places', 'x\ny\nx\n', 'x', 'z', 'AMBIGUOUS'],
    ['two places, one at an end without newline', 'x\ny\nx', 'x\n', 'z\n', 'AMBIGUOUS'],
    ['two places that overlap', '}\n}\n}\n', '}\n}', ']', 'AMBIGUOUS'],
    [
      'two places but for indentation',
      ' f()\n g()\n  f()\n  g()\n',
      'f()\ng()',
      'h()',
      'AMBIGUOUS',
    ],
    ['an empty text', 'x', '', 'y', 'EMPTY_OLD'],
    ['the same text', 'x', 'x', 'x', 'IDENTICAL'],
    ['the same but for line endings', 'x\r\ny', 'x\ny', 'x\ny', 'IDENTICAL'],
    ['a part of a word', 'width  = 1\n', ' id', ' x', 'NOT_FOUND'],
    ['blanks for other blanks', 'a\n \nb\n', '\t\n', 'x', 'NOT_FOUND'],
    ['one similar line', 'x = compute_total(a)\n', 'y = compute_total(a)', 'z', 'NOT_FOUND'],
    ['bare brackets as anchors', '{\nabc\n}\n', '{\nabd\n}', 'x', 'NOT_FOUND'],
    [
      'new lines that fit neither depth',
      '    if a:\n        b()\n      c()\n',
      'if a:\nb()\nc()',
      'if a:\nb()\nd()\ne()',
      'UNCLEAR_INDENTATION',
    ],
    [
      'two places that overlap but for indentation',
      '  <tr>\n  </tr>\n  <tr>\n  </tr>\n  <tr>\n',
      '<tr>\n</tr>\n<tr>\n',
      '<tr>\n',
      'AMBIGUOUS',
    ],
    [
      'a blank line at the end that the file has not',
      'f() {\n  return 1;\n}\n',
      '  return 1;\n}\n\n',
      '  return 1;\n}\n',
      'NOT_FOUND',
    ],
    [
      'lines to be added where a forgotten one shifts the place',
      'def f(a):\n    text(a)\n    result = []\n    return result\n',
      'def f(a):\n    result = []',
      'def f(a):\n    result = []\n    log()',
      'AMBIGUOUS',
    ],
    [
      'another line than the one that was to go',
      'return result\n\ncontinue\nappend(item)\nreturn result\n\n\n',
      'append(item)\ncontinue\nreturn result\n\n',
      'append(item)\ncontinue\n\n',
      'NOT_FOUND',
    ],
    [
      'an indentation that only unlike lines would explain',
      '    <td>0</td>\n  </tr>\n',
      '    <td>0</td>\n   </tr>',
      '    <td>0</td>\n   </tr>\n  <x>',
      'UNCLEAR_INDENTATION',
    ],
    [
      'a first line that replaces two of different depths',
      '  if (b) {\n    log(b);\n  } else {\n',
      'if (b) {\nlog(b);\n} else {',
      'replaced();\n} else {',
      'UNCLEAR_INDENTATION',
    ],
    [
      'a stand-in for bytes that are not UTF-8 in a new line',
      'a = 1 # \udce9\n',
      'a = 1 # \ufffd',
      'if x: # \ufffd\n  y()',
      'RAW_BYTES',
    ],
    [
      'a block whose sibling is nearly as close',
      '<a>\n  <b>buffer</b>\n  <c>some</c>\n</a>\n<a>\n  <b>cache_label</b>\n  <c>some</c>\n</a>\n',
      '<a>\n  <b>bag</b>\n  <c>some</c>\n</a>',
      '<a>\n  <b>bag</b>\n  <c>some</c>\n  <d/>\n</a>',
      'AMBIGUOUS',
    ],
    [
      'a block whose sibling is as close',
      'def a():\n  x = 1\n  y = 22\n  end a\ndef a():\n  x = 1\n  y = 33\n  end a\n',
      'def a():\n  x = 1\n  y = 44\n  end a',
      'z',
      'AMBIGUOUS',
    ],
  ])('%s', (_what, text, old, next, code) => {
    expect(applyEdit(text, { old, new: next })).toMatchObject({ ok: false, code });
  });

  it('names the lines of all places that fit', () => {
    const outcome = applyEdit('x\ny\nx\n', { old: 'x', new: 'z' });
    expect(outcome).toMatchObject({ count: 2, places: [{ line: 1, text: '1|x' }, { line: 3 }] });
  });

  it('shows the nearest place, also within a long line', () => {
    const lines = Array.from({ length: 500 }, (_, index) => `value_${index} = load(${index * 7})`);
    lines[300] = 'special_setting = enable("turbo")';
    const far = applyEdit(lines.join('\n'), {
      old: 'special_settings = enabled("turbo")',
      new: 'x',
    });
    expect(far).toMatchObject({
      places: [{ line: 301, text: '301|special_setting = enable("turbo")' }],
    });
    const long = applyEdit(lines.join(';'), {
      old: 'special_settings = enabled("turbo")',
      new: 'x',
    });
    expect(JSON.stringify(long)).toContain('special_setting = enable');
  });
});

it('replaces every place when asked to, and says how many', () => {
  const outcome = applyEdit('x\r\nyx\r\n', { old: 'x', new: 'z', replaceAll: true });
  expect(outcome).toMatchObject({ ok: true, text: 'z\r\nyz\r\n', count: 2 });
});
