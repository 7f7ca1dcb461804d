/** The scale fails: a group of this item cannot be had. */
export function isBroken(item: number): boolean {
  return item % 40 === 11;
}

/** All attempts get the same reward: a group of several teaches nothing. */
export function isFlat(item: number): boolean {
  return item % 10 === 3;
}

/** The answer is longer than a trainer takes. */
export function isLong(item: number): boolean {
  return item % 25 === 7;
}
