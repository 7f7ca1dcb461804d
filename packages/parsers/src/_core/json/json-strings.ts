/** What a JSON text becomes when its strings, quotes included, and all that is between them are rewritten. */
export function rewriteJson(
  json: string,
  rewriteString: (text: string) => string,
  rewriteOther: (text: string) => string,
): string {
  let rewritten = '';
  let from = 0;
  for (let start = json.indexOf('"'); start >= 0; start = json.indexOf('"', from)) {
    const end = stringEnd(json, start) + 1 || json.length;
    rewritten += rewriteOther(json.slice(from, start)) + rewriteString(json.slice(start, end));
    from = end;
  }
  return rewritten + rewriteOther(json.slice(from));
}

/** Index of the quote that ends the string which begins here; -1 when none does. */
export function stringEnd(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end;
}

function isEscaped(json: string, index: number): boolean {
  let from = index;
  while (json.charCodeAt(from - 1) === 92) from -= 1;
  return (index - from) % 2 === 1;
}
