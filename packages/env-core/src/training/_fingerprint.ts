import { createHash } from 'node:crypto';

/**
 * The same for lines that teach the same: their conversation or their tokens, whatever the ids of line
 * and rollout are. Ids of tool calls count by their order, because a server makes new ones each time.
 */
export function fingerprintOf(line: Readonly<Record<string, unknown>>): string {
  const content = line.messages ?? line.conversations ?? line.tokens;
  const order = new Map<string, number>();
  const text = JSON.stringify(content, (key, value: unknown) => {
    if ((key !== 'id' && key !== 'tool_call_id') || typeof value !== 'string') return value;
    if (!order.has(value)) order.set(value, order.size);
    return order.get(value);
  });
  return createHash('sha256')
    .update(`${line.tools ?? ''}\n${text}`)
    .digest('base64');
}
