/** The number of Unicode code points, so that every language counts a length alike. */
export function countCodePoints(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length - 1; index += 1) {
    if (startsPair(text, index)) {
      count -= 1;
      index += 1;
    }
  }
  return count;
}

/** The first code points of a text. */
export function headOf(text: string, codePoints: number): string {
  let index = 0;
  for (let taken = 0; taken < codePoints && index < text.length; taken += 1) {
    index += startsPair(text, index) ? 2 : 1;
  }
  return text.slice(0, index);
}

/** The last code points of a text. */
export function tailOf(text: string, codePoints: number): string {
  let index = text.length;
  for (let taken = 0; taken < codePoints && index > 0; taken += 1) {
    index -= index > 1 && startsPair(text, index - 2) ? 2 : 1;
  }
  return text.slice(index);
}

/** 1234567 -> 1,234,567 */
export function withThousands(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}

const ESCAPE = '\u001b';
const BELL = '\u0007';
const SEQUENCES = [
  `${ESCAPE}\\[[0-?]*[ -/]*[@-~]`, // colours, cursor
  `${ESCAPE}[\\]PX^_][^${BELL}${ESCAPE}]*(?:${BELL}|${ESCAPE}\\\\)`, // titles, links, device strings
  `${ESCAPE}[ -/]*[0-~]`, // two-character sequences
];
const ANSI = new RegExp(SEQUENCES.join('|'), 'g');

/** The text without terminal control sequences. */
export function stripAnsi(text: string): string {
  return text.includes(ESCAPE) ? text.replace(ANSI, '') : text;
}

function startsPair(text: string, index: number): boolean {
  const high = text.charCodeAt(index);
  if (high < 0xd800 || high > 0xdbff) return false;
  const low = text.charCodeAt(index + 1);
  return low >= 0xdc00 && low <= 0xdfff;
}
