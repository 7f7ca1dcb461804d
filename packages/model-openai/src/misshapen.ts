import { field, isObject } from './_json.ts';
import { firstChoice } from './read-message.ts';

/** What of a message is of a kind that the API does not know, so that reading on would lose it in silence; null = nothing. */
export function misshapen(body: unknown): string | null {
  const choice = firstChoice(field(body, 'choices'));
  for (const name of ['message', 'delta']) {
    const message = field(choice, name) ?? null;
    if (message === null) continue;
    if (!isObject(message)) return `a ${name} that is no object`;
    if (!isText(message.content ?? null)) return `a ${name} whose content is no text`;
    if (!isList(message.tool_calls ?? null)) return `a ${name} whose tool_calls are no list`;
  }
  return null;
}

function isText(content: unknown): boolean {
  return content === null || typeof content === 'string' || Array.isArray(content);
}

function isList(calls: unknown): boolean {
  return calls === null || Array.isArray(calls);
}
