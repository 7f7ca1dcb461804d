/** 95 s -> `1:35`; 3,700 s -> `1:01:40`. */
export function formatDuration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown
    .map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0')))
    .join(':');
}

/** 1,234,567 -> `1.2M`. Unknown is a question mark, never 0. */
export function formatCount(value: number | null): string {
  if (value === null) return '?';
  if (value < 1000) return String(value);
  return value < 1_000_000 ? `${(value / 1000).toFixed(1)}k` : `${(value / 1_000_000).toFixed(1)}M`;
}

/** USD; unknown is a question mark, never 0. */
export function formatCost(costUsd: number | null): string {
  return costUsd === null ? '$?' : `$${costUsd.toFixed(costUsd < 1 ? 4 : 2)}`;
}

/** At most four decimals: 1/6 -> `0.1667`, 18 -> `18`. */
export function formatNumber(value: number): string {
  return String(Number(value.toFixed(4)));
}

/** 0.8125 -> `81.3 %`; nothing to divide by -> `-`. */
export function formatPercent(share: number | null): string {
  return share === null ? '-' : `${(share * 100).toFixed(1)} %`;
}

/** Wipes the line of a terminal in which the cursor stands. */
export const clearLine = '\r\u001b[K';

/** A name or message of others as it may stand on a terminal: control characters are spelled out, so that none moves the cursor. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, (character) => JSON.stringify(character).slice(1, -1));
}

/** The same for a text of several lines. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const segments = new Intl.Segmenter();

/** How many columns a terminal needs for a text. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const { segment } of segments.segment(text)) columns += WIDE.test(segment) ? 2 : 1;
  return columns;
}

/** `1 trial`, `2 trials`, `2 sandboxes`. */
export function formatPlural(count: number, noun: string): string {
  if (count === 1) return `1 ${noun}`;
  return `${count} ${noun}${/(x|s|ch)$/.test(noun) ? 'es' : 's'}`;
}
