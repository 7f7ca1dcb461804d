/** Index of the first match at or after `from`, of an expression that is global; the length when there is none. */
export function endBefore(stop: RegExp, text: string, from: number): number {
  stop.lastIndex = from;
  return stop.exec(text)?.index ?? text.length;
}
