import { field, textOf } from './_json.ts';

/** The reasoning in a message or a delta, by whichever name the server has for it; null = none. */
export function readReasoning(message: unknown): string | null {
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
