import type { ParseOptions, ParseResult, ParserEvent } from '@hermes/parsers';
import {
  type ChosenFormat,
  chooseFormat,
  type FormatFlags,
  formatOfText,
} from '../choose-format.ts';
import type { CliContext } from '../context.ts';
import { createAnswerView } from '../display/answer-view.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { readInput, readWholeInput } from '../read-input.ts';
import { readTools } from '../read-tools.ts';

/** The flags of `hermes parse`. */
export interface ParseFlags extends FormatFlags {
  readonly stream?: boolean;
  readonly startInReasoning?: boolean;
  readonly reasoning: boolean;
  readonly repair: boolean;
  readonly json?: boolean;
}

/** Shows an answer while it is read and when it is complete. */
interface View {
  event(event: ParserEvent): void;
  end(result: ParseResult): void;
}

/** `hermes parse`: what a model wrote on stdin, taken apart. What is wrong with the text is a result, not a failure. */
export async function runParse(flags: ParseFlags, context: CliContext): Promise<ExitCode> {
  const options = await optionsOf(flags, context);
  const named = await chooseFormat(flags);
  const isPiecewise = named !== null && flags.stream === true;
  const text = isPiecewise ? '' : await readWholeInput(context);
  const format = named ?? (await formatOfText(text));
  const view = createView(format, flags, context);
  const stream = format.parser.stream(options);
  const show = (events: readonly ParserEvent[]): void => events.forEach(view.event);
  if (isPiecewise) for await (const piece of readInput(context)) show(stream.push(piece));
  else show(stream.push(text));
  const { events, result } = stream.finish();
  show(events);
  view.end(result);
  return exitCodes.ran;
}

async function optionsOf(flags: ParseFlags, context: CliContext): Promise<ParseOptions> {
  const tools = await readTools(flags.tools, context);
  return {
    ...(tools && { tools }),
    startInReasoning: flags.startInReasoning === true,
    reasoning: flags.reasoning,
    repair: flags.repair,
    delivery: flags.stream === true ? 'incremental' : 'whole',
  };
}

function createView(format: ChosenFormat, flags: ParseFlags, context: CliContext): View {
  const { name } = format.parser;
  if (flags.json === true) return jsonView(name, flags.stream === true, context);
  const why = format.reason === null ? '' : ` (${format.reason})`;
  return createAnswerView(`format: ${name}${why}`, context);
}

/** The result on one line; of a stream every event before it. */
function jsonView(format: string, isStream: boolean, { stdout }: CliContext): View {
  const line = (value: object): void => stdout.write(`${JSON.stringify(value)}\n`);
  return {
    event: (event) => (isStream ? line(event) : undefined),
    end: (result) => line(isStream ? { type: 'result', format, ...result } : { format, ...result }),
  };
}
