import type { ToolCallParser } from '@hermes/parsers';

/** The tags between which a format writes a thought in front of the answer; null = it has no such tags. */
export function reasoningTags(
  parser: ToolCallParser,
): readonly [open: string, close: string] | null {
  const plain = rendered(parser, null);
  const thoughtful = rendered(parser, 'R');
  const found = thoughtful === null ? null : /^(\S+)\s*R\s*(\S+)\s*C$/.exec(thoughtful);
  const [, open, close] = found ?? [];
  return plain === 'C' && open !== undefined && close !== undefined ? [open, close] : null;
}

/** A format that cannot carry a thought says so by throwing. */
function rendered(parser: ToolCallParser, reasoning: string | null): string | null {
  try {
    return parser.render({ content: 'C', reasoning, toolCalls: [] });
  } catch {
    return null;
  }
}
