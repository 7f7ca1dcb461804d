/**
 * `call_` and 24 random hexadecimal digits. Not for secrets: `crypto.randomUUID` is missing in
 * pages without TLS, and slower.
 */
export function randomCallId(): string {
  // joined, because a template would keep all its parts in memory
  return ['call_', randomDigits(), randomDigits(), randomDigits(), randomDigits()].join('');
}

/** Random digits: as many as `end` has zeros. It stays a small integer, which is written much faster. */
export function randomDigits(radix = 16, end: number = radix ** 6): string {
  return Math.floor((1 + Math.random()) * end)
    .toString(radix)
    .slice(1);
}
