/** The last part of a growing text, and nothing of it read twice. */
interface RollingText {
  push(text: string): void;
  text(): string;
}

/** Keeps at least the last `maxChars` UTF-16 units while growing, exactly those when read. */
export function createRollingText(maxChars: number): RollingText {
  let kept = '';
  return {
    push(text) {
      kept += text;
      if (kept.length > maxChars * 2) kept = lastUnits(kept, maxChars);
    },
    text: () => lastUnits(kept, maxChars),
  };
}

function lastUnits(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const start = text.length - maxChars;
  const splitsPair = (text.charCodeAt(start) & 0xfc00) === 0xdc00;
  return text.slice(splitsPair ? start + 1 : start);
}
