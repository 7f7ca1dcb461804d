/** The first attribute value of a tag and the text behind it; null when there is none. */
export function readQuoted(text: string): Readonly<{ value: string; rest: string }> | null {
  const match = /^\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))/.exec(text);
  const value = match?.[1] ?? match?.[2] ?? match?.[3] ?? '';
  return match === null || value === '' ? null : { value, rest: text.slice(match[0].length) };
}

/** A header that is nothing but a name, in double, single or no quotes. */
export function quotedName(text: string): Readonly<{ name: string }> | null {
  const quoted = readQuoted(text);
  return quoted === null || quoted.rest.trim() !== '' ? null : { name: quoted.value };
}
