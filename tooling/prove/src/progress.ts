/** Lines that say how far a long run is, at most one every `everyMs`. */
export interface Progress {
  /** Something was done since the last time. */
  add(count: number): void;
}

export function createProgress(
  total: number,
  what: string,
  say: (line: string) => void,
  { everyMs = 10_000, now = Date.now }: { everyMs?: number; now?: () => number } = {},
): Progress {
  const startedMs = now();
  let saidMs = startedMs;
  let done = 0;
  return {
    add(count) {
      done += count;
      const nowMs = now();
      if (nowMs - saidMs < everyMs) return;
      saidMs = nowMs;
      const perSecond = (done * 1000) / (nowMs - startedMs);
      const minutes = Math.ceil((total - done) / perSecond / 60);
      say(
        `${number(done)} of ${number(total)} ${what}, ${number(Math.round(perSecond))} a second, about ${minutes} min left`,
      );
    },
  };
}

function number(value: number): string {
  return value.toLocaleString('en-US');
}
