import type { Command } from 'commander';
import type { ParseFlags } from './commands/parse.ts';
import type { RenderFlags } from './commands/render.ts';
import type { CliContext } from './context.ts';
import type { ExitCode } from './exit-codes.ts';

type Finish = (code: ExitCode) => void;

/** The commands between the raw text of a model and a message: `parse` and `render`. */
export function addTextCommands(program: Command, context: CliContext, finish: Finish): void {
  withSources(program.command('parse'))
    .description('read the raw text of a model from stdin: tool calls, reasoning, content')
    .option('-f, --format <name>', 'the format (default: what --model or the text says)')
    .option('--stream', 'show what is certain as soon as the text arrives')
    .option('--start-in-reasoning', 'the prompt already opened the reasoning block')
    .option('--no-reasoning', 'leave reasoning tags in the content')
    .option('--no-repair', 'broken JSON is an error, also where it could be repaired')
    .option('--json', 'the result as JSON; with --stream one event a line, the result last')
    .action(async (flags: ParseFlags) => {
      const { runParse } = await import('./commands/parse.ts');
      finish(await runParse(flags, context));
    });
  withSources(program.command('render'))
    .description("write a message from stdin in a model's own markup")
    .option('-f, --format <name>', 'the format (default: that of --model)')
    .option('--json', 'the text as JSON, with the name of the format')
    .addHelpText('after', messageHelp)
    .action(async (flags: RenderFlags) => {
      const { runRender } = await import('./commands/render.ts');
      finish(await runRender(flags, context));
    });
}

function withSources(command: Command): Command {
  return command
    .option('-m, --model <id>', 'the model, to tell the format by its name')
    .option('-t, --tools <file>', 'JSON with the tools of the request, for the types of values');
}

const messageHelp = `
The message is the result of hermes parse --json, or an assistant message as chat APIs have it:
{"content": "Ok.", "tool_calls": [{"function": {"name": "ls", "arguments": "{}"}}]}

Example: from one model's markup to another's
  hermes parse --format hermes --json < answer.txt | hermes render --format mistral`;
