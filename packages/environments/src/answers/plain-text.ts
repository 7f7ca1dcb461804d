const REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  [/\u2212 (?=[.$\d])/g, '-'],
  [/[\u2212\u2013\u2014\u2010\u2011]/g, '-'],
  [/[\u00d7\u2715]|\\(?:times|cdot)(?![a-zA-Z])|\u00b7/g, '×'],
  [/(\d)(?:\\[,;:!]|[\u00a0\u2009\u202f])(?=\d{3})/g, '$1'],
  [/\{,\}/g, ','],
  [/\\(?:left|right|displaystyle|,|;|:|!|quad|qquad|ldots|dots)(?![a-zA-Z])/g, ' '],
  [/\\([$%#&_{}])/g, '$1'],
  [/\\[()[\]]/g, ' '],
  [/\^ ?\{? ?\\circ ?\}?|\u00b0|\\degree(?![a-zA-Z])/g, ' '],
  [/\\(?:approx|equiv)(?![a-zA-Z])|\u2248/g, '='],
  [
    /\\(?:text|textbf|textit|mathrm|mathbf|mathit|mbox|operatorname|fbox|boxed)(?![a-zA-Z]) ?\*?/g,
    ' ',
  ],
  [/\*\*|__|`/g, ''],
  [/[~\s]+/g, ' '],
  [/\b(?:minus|negative) (?=[.$\d])/gi, '-'],
  [/(\d) and (?:a|one)[ -]half\b/gi, '$1 1/2'],
];

const FRACTION = /(\d?)\\[dtc]?frac ?(?:\{([^{}]*)\}|(\d)) ?(?:\{([^{}]*)\}|(\d))/g;
const POWER = /\^ ?\{([^{}]*)\}/g;
const VULGAR_FRACTION = /[\u00bc-\u00be\u2150-\u215e]/g;
const CURRENCY = /[$\u20ac\u00a3\u00a5\u20b9]/g;

/** Markdown, LaTeX and typographic signs as the plain text that they stand for, in one line. Never longer by more than a few characters each. */
export function plainText(text: string): string {
  const spelled = text.replaceAll(VULGAR_FRACTION, spellFraction);
  const plain = REPLACEMENTS.reduce(
    (rest, [pattern, replacement]) => rest.replaceAll(pattern, replacement),
    spelled,
  );
  const flat = plain
    .replaceAll(FRACTION, divided)
    .replaceAll(POWER, '^$1')
    .replaceAll(/[{}]/g, ' ');
  return withoutCurrency(flat).replaceAll(/ +/g, ' ').trim();
}

/** `1½` is `1 1/2`. */
function spellFraction(sign: string): string {
  return ` ${sign.normalize('NFKC').replace('\u2044', '/')}`;
}

/** After a digit it is the rest of a mixed number: `1\frac{1}{2}` is `1 1/2`. */
function divided(
  _match: string,
  before: string,
  above = '',
  aboveDigit = '',
  below = '',
  belowDigit = '',
): string {
  const fraction = `${above.trim() || aboveDigit}/${below.trim() || belowDigit}`;
  return before === '' ? fraction : `${before} ${fraction}`;
}

/** A sign stays with its number: `-$5` is `-5`. */
function withoutCurrency(text: string): string {
  return text.replaceAll(/([-+]) ?[$\u20ac\u00a3\u00a5\u20b9] ?/g, '$1').replaceAll(CURRENCY, ' ');
}
