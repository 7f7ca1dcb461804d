import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exitCodes } from '../src/index.ts';
import { hermes, inFolder } from './_run.ts';

const run = ['evaluate', 'smoke', '--model', 'noop'];

/** Each row: what people write, and the right key or word that the one message must name. */
const mistakes: readonly {
  readonly what: string;
  readonly argv?: readonly string[];
  readonly yaml?: string;
  readonly message: RegExp;
}[] = [
  {
    what: 'a section that is none',
    argv: ['--server.model_name', 'X'],
    message: /no section 'server'\. Did you mean --openai\.model_name\?/,
  },
  {
    what: 'the old separator',
    argv: ['--env--max_agent_turns', '3'],
    message: /write --env\.max_agent_turns, with a dot/,
  },
  {
    what: 'a key without its section',
    argv: ['--max_agent_turns', '3'],
    message: /write --env\.max_agent_turns VALUE or --max-turns VALUE/,
  },
  {
    what: 'dashes in a key',
    argv: ['--env.max-agent-turns', '3'],
    message: /env\.max-agent-turns: unknown key\. Did you mean max_agent_turns\?/,
  },
  {
    what: 'the name that others give a key',
    argv: ['--env.max_tokens', '100'],
    message: /env\.max_tokens: unknown key\. It is called env\.max_token_length here/,
  },
  {
    what: 'a key of the server in section env',
    yaml: 'env:\n  model_name: X\n',
    message: /env\.model_name: unknown key\. It belongs into section openai: openai\.model_name/,
  },
  {
    what: 'a key beside the sections',
    yaml: 'max_agent_turns: 5\n',
    message: /max_agent_turns: unknown key\. It belongs into section env: env\.max_agent_turns/,
  },
  {
    what: 'a dotted key in a file',
    yaml: 'env.max_agent_turns: 5\n',
    message:
      /env\.max_agent_turns: unknown key\. In a file it is max_agent_turns, indented below env:/,
  },
  {
    what: 'a section in a section',
    yaml: 'env:\n  openai:\n    model_name: X\n',
    message: /env\.openai: unknown key\. It is a section, and stands at the very left/,
  },
  {
    what: 'a section under another name',
    yaml: 'server:\n  model_name: X\n',
    message: /server: unknown key\. It is called openai here/,
  },
  {
    what: 'a key in capitals',
    yaml: 'env:\n  Max_Agent_Turns: 3\n',
    message: /env\.Max_Agent_Turns: unknown key\. Did you mean max_agent_turns\?/,
  },
  {
    what: 'a word for a number',
    yaml: 'env:\n  terminal_timeout: 5 minutes\n',
    message: /env\.terminal_timeout: "5 minutes" is no number.*for example terminal_timeout: 120/,
  },
  {
    what: 'a word for a truth value',
    argv: ['--openai.health_check', 'maybe'],
    message: /openai\.health_check: "maybe" is not true or false; for example health_check: true/,
  },
  {
    what: 'a tool in place of its toolset',
    argv: ['--env.enabled_toolsets', 'read_file'],
    message: /"read_file" is a tool of the toolset file: name the toolset/,
  },
  {
    what: 'a toolset that nobody knows',
    argv: ['--env.enabled_toolsets', 'termnal'],
    message: /Unknown toolset "termnal"\. Did you mean "terminal"\?/,
  },
  {
    what: 'a parser that nobody knows',
    argv: ['--env.tool_call_parser', 'hermse'],
    message: /unknown parser 'hermse'\. Did you mean hermes\?/,
  },
  {
    what: 'a backend that nobody knows',
    argv: ['--env.terminal_backend', 'dokcer'],
    message: /unknown sandbox provider 'dokcer'\. Did you mean docker\?/,
  },
  {
    what: 'a backend whose package is missing',
    argv: ['--env.terminal_backend', 'modal'],
    message: /--sandbox modal needs the package @hermes\/sandbox-modal/,
  },
  {
    what: 'a list with spaces between its names',
    argv: ['--env.enabled_toolsets', 'terminal', 'file'],
    message: /too many arguments.*commas between them: --env\.KEY a,b/s,
  },
  {
    what: 'a key without its value',
    argv: ['--env.max_agent_turns', '--json'],
    message: /--env\.max_agent_turns: a value is needed/,
  },
  {
    what: 'a variable in a file',
    yaml: 'openai:\n  api_key: $' + '{MY_KEY}\n',
    message: /openai\.api_key: files do not read variables; write api_key_env: MY_KEY/,
  },
  {
    what: 'two ways to choose tools',
    argv: ['--env.enabled_toolsets', 'file', '--env.distribution', 'safe'],
    message: /env\.distribution: cannot stand beside env\.enabled_toolsets/,
  },
];

it('an environment before its command is told the order', async () => {
  const script = 'environments/terminal_test_env/terminal_test_env.py';
  const ended = await hermes([script, 'process', '--env.data_path_to_save_groups', 'o.jsonl']);
  expect(ended.code).toBe(exitCodes.wrongUsage);
  expect(ended.stderr).toContain(`before the environment: hermes process ${script}`);
});

describe('one message names what was meant', () => {
  it.each(mistakes)('for $what', async ({ argv = [], yaml, message }) => {
    await inFolder(async (folder) => {
      const file = join(folder, 'run.yaml');
      if (yaml !== undefined) await writeFile(file, yaml);
      const all = [...run, ...argv, ...(yaml === undefined ? [] : ['--config', file])];
      const ended = await hermes(all, { workingDirectory: folder });
      expect(ended.code).toBe(exitCodes.wrongUsage);
      expect(ended.stderr).toMatch(message);
      expect(ended.stdout).toBe('');
    });
  });
});
