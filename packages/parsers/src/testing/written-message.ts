import { RenderError } from '../_core/render/render-error.ts';
import type { RenderableMessage, ToolCallParser, ToolSchema } from '../types.ts';
import type { Random } from './random.ts';
import { scraps, soup } from './scraps.ts';

/** A message in the format's own markup; what it cannot carry is replaced by plain text. */
export function writtenMessage(parser: ToolCallParser, random: Random): string {
  const message = randomMessage(random);
  try {
    return parser.render(message, { tools: toolsOf(message) });
  } catch (error) {
    if (!RenderError.isInstance(error)) throw error;
    return message.content ?? '';
  }
}

function randomMessage(random: Random): RenderableMessage {
  const text = (): string => soup(scraps, random).join('');
  return {
    content: random.chance(0.5) ? text() : null,
    reasoning: random.chance(0.3) ? text() : null,
    toolCalls: Array.from({ length: random.below(3) }, (_, index) => ({
      id: `call_${index}`,
      type: 'function',
      function: {
        name: random.pick(['f', 'get_weather', 'a_b']),
        arguments: JSON.stringify(randomArguments(random, text)),
      },
    })),
  };
}

function randomArguments(random: Random, text: () => string): Readonly<Record<string, unknown>> {
  const value = (): unknown =>
    random.pick([
      text,
      () => random.below(99),
      () => null,
      () => [text(), 1.5],
      () => ({ k: text() }),
    ])();
  return Object.fromEntries(
    Array.from({ length: random.below(3) }, (_, index) => [`p${index}`, value()]),
  );
}

function toolsOf(message: RenderableMessage): readonly ToolSchema[] {
  return message.toolCalls.map((call) => ({
    type: 'function',
    function: { name: call.function.name },
  }));
}
