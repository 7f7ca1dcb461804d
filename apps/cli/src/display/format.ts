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

/** 0.8125 -> `81.3 %`; nothing to divide by -> `-`. */
export function formatPercent(share: number | null): string {
  return share === null ? '-' : `${(share * 100).toFixed(1)} %`;
}
