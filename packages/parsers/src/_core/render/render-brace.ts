import type { ToolCall } from '../../types.ts';
import { elementsOf, membersOf } from '../json/json-members.ts';
import { decodeString } from '../json/json-text.ts';

/** `call:NAME{key:value,...}`. */
export function renderBraceCall(
  { function: { name, arguments: text } }: ToolCall,
  quote: string,
  writeValue: (json: string, key: string) => string,
): string {
  const members = membersOf(text).map(
    ({ key, value }) => `${renderBraceKey(key, quote)}:${writeValue(value, key)}`,
  );
  return `call:${name}{${members.join(',')}}`;
}

/** A string in the format's own quotes, or in ordinary ones where it holds those quotes itself. */
function renderQuoted(value: string, quote: string): string {
  return value.includes(quote) ? JSON.stringify(value) : quote + value + quote;
}

/** Any JSON with bare keys and the format's own quotes around strings. */
export function renderBraceValue(json: string, quote: string): string {
  if (json.startsWith('"')) return renderQuoted(decodeString(json), quote);
  if (json.startsWith('['))
    return `[${elementsOf(json)
      .map((item) => renderBraceValue(item, quote))
      .join(',')}]`;
  if (!json.startsWith('{')) return json;
  const members = membersOf(json).map(
    ({ key, value }) => `${renderBraceKey(key, quote)}:${renderBraceValue(value, quote)}`,
  );
  return `{${members.join(',')}}`;
}

function renderBraceKey(key: string, quote: string): string {
  return /^[\w.-]+$/.test(key) ? key : renderQuoted(key, quote);
}
