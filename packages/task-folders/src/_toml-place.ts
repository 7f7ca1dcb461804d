/** The 1-based line that sets `path` in a TOML text: the key's own line, else the nearest line above it that is there. */
export function lineOfKey(text: string, path: readonly PropertyKey[]): number {
  const names = path.filter((part): part is string => typeof part === 'string');
  for (let length = names.length; length > 0; length -= 1) {
    const line = findLine(text.split('\n'), names.slice(0, length));
    if (line !== null) return line;
  }
  return 1;
}

function findLine(lines: readonly string[], path: readonly string[]): number | null {
  let table: readonly string[] = [];
  for (const [index, line] of lines.entries()) {
    const header = /^\s*\[\[?\s*([^\]]+?)\s*\]/.exec(line)?.[1];
    if (header !== undefined) table = keyParts(header);
    const key =
      header === undefined ? /^\s*([\w."'-]+(?:\s*\.\s*[\w"'-]+)*)\s*=/.exec(line)?.[1] : undefined;
    const here = key === undefined ? table : [...table, ...keyParts(key)];
    const isDefinition = header !== undefined || key !== undefined;
    if (isDefinition && here.join('\0') === path.join('\0')) return index + 1;
  }
  return null;
}

function keyParts(key: string): string[] {
  return key.split('.').map((part) => part.trim().replace(/^["']|["']$/g, ''));
}
