/** The original reads messages as Python does before it knows that they are lists of objects; a value that cannot be walked breaks it. */
export class UnwalkableMessages extends Error {}

/** True when each message has `role` and `content`. Throws for what the original fails on with 500. */
export function haveRoleAndContent(value: unknown): boolean {
  return entriesOf(value).every((conversation) =>
    entriesOf(conversation).every((message) => has(message, 'role') && has(message, 'content')),
  );
}

function entriesOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value === 'string') return [...value];
  if (typeof value === 'object' && value !== null) return Object.keys(value);
  throw new UnwalkableMessages(`messages cannot be read from ${typeof value}`);
}

function has(message: unknown, key: string): boolean {
  if (typeof message === 'string' || Array.isArray(message)) return message.includes(key);
  if (typeof message === 'object' && message !== null) return Object.hasOwn(message, key);
  throw new UnwalkableMessages(`a message cannot be read from ${typeof message}`);
}
