/** A small seeded generator (mulberry32): the same texts in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296;
  };
}

/** Texts that tokenizers differ on: all planes of Unicode, code, look-alikes of special tokens, broken sequences. */
export function hardTexts(count: number, seed = 1): string[] {
  const random = seeded(seed);
  return Array.from({ length: count }, (_, index) => {
    const make = MAKERS[index % MAKERS.length] ?? anyPlane;
    return make(random);
  });
}

type Random = () => number;

function upTo(random: Random, limit: number): number {
  return Math.floor(random() * limit);
}

function pick<T>(random: Random, items: readonly T[]): T {
  const item = items[upTo(random, items.length)];
  if (item === undefined) throw new RangeError('nothing to pick from');
  return item;
}

function several(random: Random, most: number, make: () => string): string {
  return Array.from({ length: 1 + upTo(random, most) }, make).join('');
}

/** Any code point of any plane, halves of surrogate pairs too. */
function anyPlane(random: Random): string {
  return several(random, 30, () => String.fromCodePoint(upTo(random, 0x110000)));
}

const BLOCKS: readonly (readonly [number, number])[] = [
  [0x00, 0x7f],
  [0x80, 0x24f],
  [0x300, 0x36f],
  [0x370, 0x52f],
  [0x590, 0x6ff],
  [0x900, 0xdff],
  [0xe00, 0xfff],
  [0x1ab0, 0x1aff],
  [0x1e00, 0x1fff],
  [0x2000, 0x206f],
  [0x20d0, 0x2bff],
  [0x3000, 0x30ff],
  [0x4e00, 0x9fff],
  [0xac00, 0xd7af],
  [0xd800, 0xdfff],
  [0xf900, 0xffff],
  [0x10300, 0x10fff],
  [0x11000, 0x11fff],
  [0x16d40, 0x16d7f],
  [0x1d400, 0x1d7ff],
  [0x1e000, 0x1e95f],
  [0x1f000, 0x1faff],
  [0x20000, 0x323af],
  [0xe0000, 0xe01ef],
];

function blocks(random: Random): string {
  return several(random, 6, () => {
    const [first, last] = pick(random, BLOCKS);
    return several(random, 8, () => String.fromCodePoint(first + upTo(random, last - first + 1)));
  });
}

const CODE = [
  'def f(x):\n    return x**2  # Å\n',
  'if (a <= b && !c) {\n\treturn [1, 2.5e-10];\r\n}\n',
  '<div class="x">&amp;</div>',
  'SELECT * FROM t WHERE id=12345678;',
  '\\frac{1}{2} \\boxed{42}',
  '{"name":"terminal","arguments":{"command":"echo hello"}}',
  'for i in range(0,1000000):print(i)',
  '==========>>>>>>>>',
  '\t\t\t\n\n\n   \r\n\r\n',
];

function code(random: Random): string {
  return several(random, 5, () => pick(random, CODE));
}

const NAMES = [
  '<|im_start|>',
  '<|im_end|>',
  '<|im_end',
  '<|im_<|im_end|>',
  '<|endoftext|>',
  '<|eot_id|>',
  '<s>',
  '</s>',
  '<unk>',
  '<mask>',
  ' <mask> ',
  '[MASK]',
  '[UNK]',
  '<｜begin▁of▁sentence｜>',
  '<tool_call>',
  '</tool_call>',
  '<think>',
  'Écoles',
  'E\u0301coles',
  ' word ',
  'wordy',
  '-word-',
  '<0x41>',
  '<0xE4>',
  '▁',
  '##ing',
  'Ġ',
];

function lookAlikes(random: Random): string {
  return several(random, 8, () =>
    random() < 0.7 ? pick(random, NAMES) : pick(random, [' ', '\n', 'a', 'é', '  ', '1']),
  );
}

const BROKEN = [
  '\ud83d',
  '\ude00',
  '\ud83d\ud83d\ude00',
  '\ufffd',
  '\ufeff',
  'e\u0301\u0327\u0323',
  '\u0301\u0301',
  '👩\u200d👩\u200d',
  '🇩🇪🇩',
  '\u0000\u0001\u0085\u00a0\u2028\u3000',
  '\u1100\u1161\u11a8\u11a8',
  '\u212b\u00c5A\u030a',
  'ﬁ①½㎏',
  "don'ſ I'LL we'VE 'S'K",
  'ΑΣ ΣΑ İıſßẞ',
  '\u0345\u0334\u0897a\u16d63\u{16d67}\u{16d67}',
];

function broken(random: Random): string {
  return several(random, 8, () => (random() < 0.8 ? pick(random, BROKEN) : anyPlane(random)));
}

const WORDS =
  "the of don't I'm they'll We've 1234567 3.14 ÉCOLE Grüße Привет 你好世界 こんにちは カタカナ 한국어 مرحبا שלום नमस्ते สวัสดี 😀 👩‍👩‍👧 HelloWorld camelCase ABCdef x²y³ ½ Ⅷ ٣٤٥ https://a.b/c?d=e&f #tag @me a_b __init__".split(
    ' ',
  );

function words(random: Random): string {
  return several(
    random,
    20,
    () => pick(random, WORDS) + pick(random, [' ', ' ', '', '  ', '\n', ', ', '. ']),
  );
}

function longRun(random: Random): string {
  return pick(random, ['a', 'ab', ' ', '你', '😀', '\n', '0', '-', 'é', '▁']).repeat(
    1 + upTo(random, 300),
  );
}

const MAKERS = [anyPlane, blocks, code, lookAlikes, broken, words, blocks, broken, longRun, words];
