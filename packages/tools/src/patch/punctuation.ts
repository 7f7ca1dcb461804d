const KEYBOARD: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "'": '\u2018\u2019\u201a\u201b\u2032',
    '"': '\u201c\u201d\u201e\u201f\u2033',
    '-': '\u2010\u2011\u2012\u2013\u2014\u2015\u2212',
    ' ': '\u00a0\u2002\u2003\u2007\u2009\u200a\u202f\u3000',
    '...': '\u2026',
  }).flatMap(([plain, fancy]) => [...fancy].map((character) => [character, plain])),
);
const FANCY = new RegExp(`[${[...KEYBOARD.keys()].join('')}]`, 'g');

/** Quotes, dashes, ellipses and special blanks as a keyboard has them. */
export function plainPunctuation(text: string): string {
  return text.replace(FANCY, (character) => KEYBOARD.get(character) ?? '');
}

/**
 * A model's text with the plain characters where it has special ones that the file, at the place
 * that `old` was found to be, has not.
 */
export function spelledAsIn(found: string, old: string, text: string): string {
  if (old === found) return text;
  const isForeign = (character: string): boolean =>
    old.includes(character) && !found.includes(character);
  return text.replace(FANCY, (character) =>
    isForeign(character) ? plainPunctuation(character) : character,
  );
}
