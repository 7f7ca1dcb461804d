import {
  type Diagnostic,
  explainDiagnostic,
  type ParseResult,
  type ParserEvent,
} from '@hermes/parsers';
import type { CliContext } from '../context.ts';
import { printable } from './format.ts';
import { createPaint, type Paint } from './paint.ts';

/** Shows the parts of an answer to people, in the order of the text, each under its heading; what is wrong comes last. */
export function createAnswerView(
  title: string,
  context: Pick<CliContext, 'stdout' | 'environmentVariables'>,
): { event(event: ParserEvent): void; end(result: ParseResult): void } {
  const { stdout } = context;
  const paint = createPaint(context);
  let section = '';
  const open = (heading: string): void => {
    if (heading !== section) stdout.write(`\n\n${paint('bold', heading)}\n  `);
    section = heading;
  };
  stdout.write(paint('dim', title));
  return {
    event(event) {
      if (event.type === 'content' || event.type === 'reasoning') {
        open(event.type);
        const text = indented(event.text);
        stdout.write(event.type === 'reasoning' ? paint('dim', text) : text);
      } else if (event.type === 'call_start') {
        section = '';
        open(`call ${event.index + 1}: ${printable(event.name)} (${printable(event.id)})`);
      } else if (event.type === 'call_arguments') stdout.write(paint('cyan', indented(event.text)));
      else if (event.type === 'call_abort') stdout.write(paint('red', '\n  dropped, see below'));
    },
    end(result) {
      if (isEmpty(result)) stdout.write('\n\nneither content nor reasoning nor calls');
      if (result.diagnostics.length > 0) open('diagnostics');
      stdout.write(`${result.diagnostics.map((one) => describe(one, paint)).join('\n  ')}\n`);
    },
  };
}

function isEmpty({ content, reasoning, toolCalls }: ParseResult): boolean {
  return content === null && reasoning === null && toolCalls.length === 0;
}

/** Line feeds and tabs stay; whatever else would move the cursor is spelled out. */
function indented(text: string): string {
  const lines = text.split('\n');
  return lines.map((line) => line.split('\t').map(printable).join('\t')).join('\n  ');
}

const styles = { error: 'red', warning: 'yellow', info: 'dim' } as const;

function describe(diagnostic: Diagnostic, paint: Paint): string {
  const { code, level, span, raw, name } = diagnostic;
  const where = `at ${span.start}-${span.end}${name === undefined ? '' : `, ${printable(name)}`}`;
  const quote = raw === undefined ? '' : `\n    ${paint('dim', shortened(printable(raw)))}`;
  return `${paint(styles[level], `${level} ${code}`)} ${where}: ${printable(explainDiagnostic(diagnostic))}${quote}`;
}

function shortened(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}... (${text.length} characters)` : text;
}
