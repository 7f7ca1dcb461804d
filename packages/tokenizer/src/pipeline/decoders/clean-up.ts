const PLAIN: readonly (readonly [string, string])[] = [
  [' .', '.'],
  [' ?', '?'],
  [' !', '!'],
  [' ,', ','],
  [" ' ", "'"],
  [" n't", "n't"],
  [" 'm", "'m"],
];
const ENDINGS: readonly (readonly [string, string])[] = [
  [" 's", "'s"],
  [" 've", "'ve"],
  [" 're", "'re"],
];
/** Only the decoder WordPiece does this, too. */
const NEGATION: readonly (readonly [string, string])[] = [[' do not', " don't"]];

/** Takes spaces away that a tokenizer has put before punctuation. */
export function cleanUp(text: string, where: 'decoder' | 'whole text'): string {
  const steps = [...PLAIN, ...(where === 'decoder' ? NEGATION : []), ...ENDINGS];
  return steps.reduce((value, [from, to]) => value.replaceAll(from, to), text);
}
