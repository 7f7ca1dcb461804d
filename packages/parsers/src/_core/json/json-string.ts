const plain = /[ !#-[\]-\uffff]*/y;

/** Passes characters that stand for themselves and ordinary escapes. */
export function plainEnd(text: string, from: number): number {
  for (let index = from; ; index += 2) {
    plain.lastIndex = index;
    plain.test(text);
    index = plain.lastIndex;
    if (text.charCodeAt(index) !== 92) return index;
    // `u` and the end of the window are for the caller to look at
    if (!'"\\/bfnrt'.includes(text.charAt(index + 1) || 'u')) return index;
  }
}

/** Length of the `\\u` escape at this backslash; 0 when the window cuts an escape, -1 when it is none. */
export function escapeLength(text: string, index: number, isLast: boolean): number {
  const found = text.slice(index, index + 6);
  if (/^\\u[\da-fA-F]{4}$/.test(found)) return 6;
  return isLast || !/^\\(u[\da-fA-F]{0,3})?$/.test(found) ? -1 : 0;
}
