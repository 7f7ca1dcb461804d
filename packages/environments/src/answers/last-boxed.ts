const BRACE_OR_BOX = /\\(?:boxed|fbox) ?\{|\\.|[{}]/gs;

/** The content of the last `\boxed{...}` that is closed, the outer one of nested ones; null = none. One pass over the text. */
export function lastBoxed(text: string): string | null {
  const open: (number | null)[] = [];
  let found: readonly [number, number] | null = null;
  for (const { 0: token, index } of text.matchAll(BRACE_OR_BOX)) {
    if (token === '}') {
      const start = open.pop() ?? null;
      if (start !== null) found = [start, index];
    } else if (token === '{') open.push(null);
    else if (token.endsWith('{') && token !== '\\{') open.push(index + token.length);
  }
  return found === null ? null : text.slice(...found);
}
