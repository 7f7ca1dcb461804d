/** An exact fraction: lowest terms, positive denominator. */
export type Rational = Readonly<{ numerator: bigint; denominator: bigint }>;

/** More digits, or a larger power of ten, are no answer to a word problem; they are compared as text. */
const MAX_DIGITS = 1_000;
const MAX_EXPONENT = 1_000;

/** null for a denominator of 0. */
function rational(numerator: bigint, denominator: bigint): Rational | null {
  if (denominator === 0n) return null;
  return denominator < 0n ? reduced(-numerator, -denominator) : reduced(numerator, denominator);
}

/** `-1,234.50` with a power of ten; null where it is too long to be worked with. */
export function parseDecimal(text: string, exponent = '0'): Rational | null {
  if (text.length > MAX_DIGITS || exponent.length > 6) return null;
  const power = Number(exponent);
  if (Math.abs(power) > MAX_EXPONENT) return null;
  const [whole = '', decimals = ''] = text.replaceAll(',', '').split('.');
  const shift = power - decimals.length;
  const digits = BigInt(whole + decimals);
  return shift >= 0
    ? rational(digits * 10n ** BigInt(shift), 1n)
    : rational(digits, 10n ** BigInt(-shift));
}

/** The quotient, or null when the divisor is 0. */
export function divide(a: Rational, b: Rational): Rational | null {
  return rational(a.numerator * b.denominator, a.denominator * b.numerator);
}

export function add(a: Rational, b: Rational): Rational {
  const numerator = a.numerator * b.denominator + b.numerator * a.denominator;
  return reduced(numerator, a.denominator * b.denominator);
}

export function multiply(a: Rational, b: Rational): Rational {
  return reduced(a.numerator * b.numerator, a.denominator * b.denominator);
}

export function negate({ numerator, denominator }: Rational): Rational {
  return { numerator: -numerator, denominator };
}

/** Both are in lowest terms, so equal values look equal. */
export function isEqual(a: Rational, b: Rational): boolean {
  return a.numerator === b.numerator && a.denominator === b.denominator;
}

export function isInteger({ denominator }: Rational): boolean {
  return denominator === 1n;
}

/** Whether the difference is at most this share of the larger one. share: 1 / `parts`. */
export function isWithinShare(a: Rational, b: Rational, parts: bigint): boolean {
  const left = a.numerator * b.denominator;
  const right = b.numerator * a.denominator;
  const difference = absolute(left - right) * parts;
  return difference <= absolute(left) || difference <= absolute(right);
}

/** The value in units of 10^-places, halves away from zero. */
export function rounded({ numerator, denominator }: Rational, places: number): bigint {
  const doubled = 2n * absolute(numerator) * 10n ** BigInt(places) + denominator;
  const size = doubled / (2n * denominator);
  return numerator < 0n ? -size : size;
}

function reduced(numerator: bigint, denominator: bigint): Rational {
  const divisor = commonDivisor(absolute(numerator), denominator);
  return { numerator: numerator / divisor, denominator: denominator / divisor };
}

function commonDivisor(a: bigint, b: bigint): bigint {
  let [larger, smaller] = [a, b];
  while (smaller !== 0n) [larger, smaller] = [smaller, larger % smaller];
  return larger;
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}
