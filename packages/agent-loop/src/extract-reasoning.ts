/**
 * The reasoning in a message object of a server: `reasoning_content`, else `reasoning`, else the
 * first entry of `reasoning_details` with a text. null = there is none. `<think>` inside the content
 * is not looked for: that is the work of the server or of a parser.
 */
export function extractReasoning(message: unknown): string | null {
  return (
    textOf(field(message, 'reasoning_content')) ??
    textOf(field(message, 'reasoning')) ??
    firstDetail(field(message, 'reasoning_details'))
  );
}

function firstDetail(details: unknown): string | null {
  if (!Array.isArray(details)) return null;
  for (const detail of details) {
    const text = textOf(field(detail, 'text'));
    if (text !== null) return text;
  }
  return null;
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
