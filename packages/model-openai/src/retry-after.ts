/** What a server asks to be left alone for, in ms: `retry-after-ms`, or `Retry-After` as seconds or an HTTP date. null = it does not say. */
export function retryAfterMs(headers: Headers | undefined, nowMs: number): number | null {
  const millis = number(headers?.get('retry-after-ms'));
  if (millis !== null) return millis;
  const given = headers?.get('retry-after') ?? null;
  const seconds = number(given);
  if (seconds !== null) return seconds * 1_000;
  const date = given === null ? Number.NaN : Date.parse(given);
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs);
}

/** Not below 0; null where it is no number. */
function number(text: string | null | undefined): number | null {
  if (text === null || text === undefined || !/^\s*-?\d+(\.\d+)?\s*$/.test(text)) return null;
  return Math.max(0, Number(text));
}
