/** The case changes of Python's texts. */
export const CASES: Readonly<Record<string, (text: string) => string>> = {
  capitalize: (text) => {
    const [first = '', ...rest] = Array.from(text);
    return titleCase(first) + rest.join('').toLowerCase();
  },
  lower: (text) => text.toLowerCase(),
  swapcase: (text) => Array.from(text, swapped).join(''),
  title: (text) =>
    text.replace(/\p{Cased}+/gu, (word) => {
      const [first = '', ...rest] = Array.from(word);
      return titleCase(first) + rest.join('').toLowerCase();
    }),
  upper: (text) => text.toUpperCase(),
};

/** The few letters that are two in one have a third case. */
function titleCase(character: string): string {
  const upper = character.toUpperCase();
  if (Array.from(upper).length === 1) return TITLE[character] ?? TITLE[upper] ?? upper;
  const [first = '', ...rest] = Array.from(upper);
  return first + rest.join('').toLowerCase();
}

const TITLE: Readonly<Record<string, string>> = {
  Ǆ: 'ǅ',
  ǆ: 'ǅ',
  Ǉ: 'ǈ',
  ǉ: 'ǈ',
  Ǌ: 'ǋ',
  ǌ: 'ǋ',
  Ǳ: 'ǲ',
  ǳ: 'ǲ',
};

function swapped(character: string): string {
  const lower = character.toLowerCase();
  return lower === character ? character.toUpperCase() : lower;
}
