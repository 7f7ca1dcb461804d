import type { JsonReader } from './json-reader.ts';

const SPACE = 32;
const COMMA = 44;
const MINUS = 45;
const DOT = 46;
const ZERO = 48;
const NINE = 57;

/**
 * Copies numbers without exponent, each with the comma that follows it, and returns how many. Stops before the last entry of the list and
 * before everything else that is not of this form: that takes the long way. Nearly every byte of a group passes here, so it is one loop
 * over local variables that copies whole runs.
 */
export function copyPlainNumbers(reader: JsonReader, areFloats: boolean): number {
  const { bytes } = reader;
  let runAt = reader.at;
  let count = 0;
  for (let at = runAt; ; count += 1) {
    const digitsAt = bytes[at] === MINUS ? at + 1 : at;
    let end = skipDigits(bytes, digitsAt);
    const wholeDigits = end - digitsAt;
    const hasDot = bytes[end] === DOT;
    if (hasDot) end = skipDigits(bytes, end + 1);
    const hasNoDigits = wholeDigits === 0 || (hasDot && bytes[end - 1] === DOT);
    const isOddZero = wholeDigits > 1 && bytes[digitsAt] === ZERO;
    if (bytes[end] !== COMMA || hasNoDigits || isOddZero || (hasDot && !areFloats)) {
      reader.copyRun(runAt, at);
      reader.at = at;
      return count;
    }
    if (areFloats && !hasDot) {
      reader.copyRun(runAt, end);
      reader.writeText('.0');
      runAt = end;
    }
    at = end + 1;
    if (bytes[at] === SPACE) {
      // Python writes one after each comma
      reader.copyRun(runAt, at);
      at += 1;
      runAt = at;
    }
  }
}

function skipDigits(bytes: Uint8Array, from: number): number {
  let at = from;
  let byte = bytes[at] as number;
  while (byte >= ZERO && byte <= NINE) {
    at += 1;
    byte = bytes[at] as number;
  }
  return at;
}
