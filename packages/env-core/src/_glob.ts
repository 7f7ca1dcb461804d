/** A pattern for whole names: `*` any text, `?` one character, `[abc]` one of these, `{a,b}` one of these texts. */
export function globPattern(glob: string): RegExp {
  let depth = 0;
  const source = glob.replaceAll(/\[[^\]]*\]|[\s\S]/gu, (part) => {
    if (part.length > 1 && part.startsWith('[')) return characterClass(part);
    if (part === '*') return '[\\s\\S]*';
    if (part === '?') return '[\\s\\S]';
    if (part === '{') depth += 1;
    if (part === '{') return '(?:';
    if (depth > 0 && part === ',') return '|';
    if (depth > 0 && part === '}') depth -= 1;
    else return part.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
    return ')';
  });
  return new RegExp(`^${source}${')'.repeat(depth)}$`, 'u');
}

function characterClass(part: string): string {
  const inside = part.slice(1, -1).replaceAll(/[\\[\]^]/g, '\\$&');
  if (inside === '') return '(?!)';
  return inside.startsWith('!') ? `[^${inside.slice(1)}]` : `[${inside}]`;
}
