import { styleText } from 'node:util';
import type { CliContext } from '../context.ts';

/** Gives a text a colour, or leaves it as it is. */
export type Paint = (style: 'bold' | 'dim' | 'red' | 'yellow' | 'cyan', text: string) => string;

/** Colours only on a terminal that can show them, and not against `NO_COLOR`. */
export function createPaint({
  stdout,
  environmentVariables: { NO_COLOR = '', TERM },
}: Pick<CliContext, 'stdout' | 'environmentVariables'>): Paint {
  const hasColours = stdout.isTerminal && NO_COLOR === '' && TERM !== 'dumb';
  return (style, text) => (hasColours ? styleText(style, text, { validateStream: false }) : text);
}
