const attribute = /\s*([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))(?:\s+|$)/y;

/** The attributes of a tag, values in double, single or no quotes; null when it is none. */
export function attributesOf(text: string): ReadonlyMap<string, string> | null {
  const attributes = new Map<string, string>();
  for (let end = 0; end < text.length; end = attribute.lastIndex) {
    attribute.lastIndex = end;
    const match = attribute.exec(text);
    if (match === null) return null;
    attributes.set(match[1] ?? '', match[2] ?? match[3] ?? match[4] ?? '');
  }
  return attributes;
}

/** The header of a tag that has a name; null when it has none. */
export function namedHeader(text: string): Readonly<{ name: string }> | null {
  const name = attributesOf(text)?.get('name');
  return name === undefined ? null : { name };
}
