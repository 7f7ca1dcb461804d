import { RenderError } from '@hermes/parsers';
import { HermesError } from '@hermes/protocol';
import { chooseFormat, type FormatFlags } from '../choose-format.ts';
import type { CliContext } from '../context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { readWholeInput } from '../read-input.ts';
import { readMessage } from '../read-message.ts';
import { readTools } from '../read-tools.ts';

/** The flags of `hermes render`. */
export interface RenderFlags extends FormatFlags {
  readonly json?: boolean;
}

/** `hermes render`: a message on stdin as the model of a format would have written it. */
export async function runRender(flags: RenderFlags, context: CliContext): Promise<ExitCode> {
  const tools = await readTools(flags.tools, context);
  const chosen = await chooseFormat(flags);
  if (chosen === null)
    throw new HermesError('config', 'CONFIG', 'render needs --format NAME or --model ID');
  const { parser } = chosen;
  const message = readMessage(await readWholeInput(context));
  const text = refusing(() => parser.render(message, tools && { tools }));
  const { stdout } = context;
  if (flags.json === true) stdout.write(`${JSON.stringify({ format: parser.name, text })}\n`);
  else stdout.write(stdout.isTerminal && !text.endsWith('\n') ? `${text}\n` : text);
  return exitCodes.ran;
}

function refusing<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (!RenderError.isInstance(cause)) throw cause;
    throw new HermesError('data', 'UNSUPPORTED', cause.message, { cause });
  }
}
