const MIB = 1024 * 1024;
const FACTORS: Readonly<Record<string, number>> = { K: 1024, M: MIB, G: 1024 * MIB };

/** `2G`, `512M`, `64K` in bytes; null = not of that form. */
export function parseSize(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)([KMG])$/.exec(text.trim().toUpperCase());
  const factor = FACTORS[match?.[2] ?? ''];
  return match === null || factor === undefined ? null : Math.round(Number(match[1]) * factor);
}

/** Mebibytes in bytes. */
export function mebibytes(count: number): number {
  return Math.round(count * MIB);
}
