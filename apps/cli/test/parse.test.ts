import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { type CliOptions, exitCodes, type Output, runCli } from '../src/index.ts';
import { type Ended, hermes, inFolder } from './_run.ts';

const CALL = '<tool_call>\n{"name": "ls", "arguments": {"path": "/tmp"}}\n</tool_call>';

function parse(
  text: string | readonly string[],
  flags: readonly string[],
  options: CliOptions = {},
): Promise<Ended> {
  const pieces = typeof text === 'string' ? [text] : text;
  return hermes(['parse', ...flags], { stdin: Readable.from(pieces), ...options });
}

function linesOf({ stdout }: Ended): readonly Readonly<Record<string, unknown>>[] {
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
}

describe('hermes parse', () => {
  it('shows reasoning, content, calls and what is wrong, in the order of the text', async () => {
    const text = `<think>Hm.</think>Let me look.\n${CALL}\n<tool_call>{"name": "x", "arg`;
    const ended = await parse(text, ['--format', 'hermes']);
    const shown = ended.stdout.replace(/call_\w+/, 'ID');
    expect(shown).toBe(
      [
        'format: hermes',
        '\nreasoning\n  Hm.',
        '\ncontent\n  Let me look.',
        '\ncall 1: ls (ID)\n  {"path": "/tmp"}',
        '\ndiagnostics',
        '  error truncated_call at 102-131, x: The text ends inside the call of x, which was dropped.',
        '    <tool_call>{"name": "x", "arg\n',
      ].join('\n'),
    );
    expect(ended).toMatchObject({ code: exitCodes.ran, stderr: '' });
  });

  it('says so when there is nothing', async () => {
    const ended = await parse(' \n', ['--format', 'hermes']);
    expect(ended.stdout).toBe('format: hermes\n\nneither content nor reasoning nor calls\n');
  });

  it('gives the result as one line of JSON', async () => {
    const ended = await parse(`Ok. ${CALL}`, ['--format', 'hermes', '--json']);
    const [result, ...others] = linesOf(ended);
    expect(others).toEqual([]);
    expect(result).toMatchObject({
      format: 'hermes',
      content: 'Ok.',
      reasoning: null,
      toolCalls: [{ type: 'function', function: { name: 'ls', arguments: '{"path": "/tmp"}' } }],
      diagnostics: [],
    });
  });

  it('reads the types of bare values from the tools', () =>
    inFolder(async (folder) => {
      const parameters = { type: 'object', properties: { zip: { type: 'string' } } };
      const tools = [{ type: 'function', function: { name: 'f', parameters } }];
      const text = '<tool_call>f<arg_key>zip</arg_key><arg_value>12345</arg_value></tool_call>';
      const shapes = { list: tools, request: { tools }, bare: [tools[0]?.function] };
      for (const [name, shape] of Object.entries(shapes)) {
        await writeFile(join(folder, `${name}.json`), JSON.stringify(shape));
        const flags = ['--format', 'glm45', '--tools', `${name}.json`];
        const ended = await parse(text, flags, { workingDirectory: folder });
        expect(ended.stdout).toContain('{"zip":"12345"}');
      }
    }));

  it('hands over the options of the parser', async () => {
    const json = async (text: string, flags: readonly string[]) =>
      linesOf(await parse(text, ['--format', 'qwen', '--json', ...flags]))[0];
    expect(await json('a</think>b', ['--start-in-reasoning'])).toMatchObject({ reasoning: 'a' });
    expect(await json('<think>a</think>', ['--no-reasoning'])).toMatchObject({
      content: '<think>a</think>',
    });
    const broken = '<tool_call>{"name":"f","arguments":{"a":1,}}</tool_call>';
    expect(await json(broken, [])).toMatchObject({ toolCalls: [{}] });
    expect(await json(broken, ['--no-repair'])).toMatchObject({ toolCalls: [] });
  });

  it('joins characters that the pieces of the input cut apart', async () => {
    const bytes = Buffer.from('für 😀');
    const stdin = Readable.from([...bytes].map((byte) => Buffer.of(byte)));
    const ended = await hermes(['parse', '-f', 'hermes', '--json'], { stdin });
    expect(linesOf(ended)[0]).toMatchObject({ content: 'für 😀' });
  });
});

describe('hermes parse without --format', () => {
  it.each([
    ['hermes', CALL],
    ['mistral', '[TOOL_CALLS]ls[ARGS]{"path": "/tmp"}'],
    ['glm45', '<tool_call>ls<arg_key>path</arg_key><arg_value>/tmp</arg_value></tool_call>'],
    ['qwen3_coder', '<function=ls><parameter=path>/tmp</parameter></function>'],
    ['pythonic', '[ls(path="/tmp")]'],
    ['hermes', '<tool_call>{"name": "ls", "argu'],
  ])('finds %s by %s', async (format, text) => {
    expect(linesOf(await parse(`Ok.\n${text}`, ['--json']))[0]).toMatchObject({ format });
    const ended = await parse(text, ['--stream']);
    expect(ended.stdout).toContain(`format: ${format} (the text holds `);
  });

  it('asks for the format where the text does not tell', async () => {
    const ended = await parse('Mail me at home.', []);
    expect(ended).toMatchObject({ code: exitCodes.wrongUsage, stdout: '' });
    expect(ended.stderr).toMatch(/Name one of \[.*hermes.*\], with --format/);
  });

  it('takes the format that a model is known for', async () => {
    const text = '[TOOL_CALLS]ls[ARGS]{}';
    const ended = await parse(text, ['--model', 'mistralai/Devstral-Small-2507', '--stream']);
    expect(ended.stdout).toMatch(/^format: mistral \(the model id holds/);
    const unknown = await parse(text, ['--model', 'my-own']);
    expect(unknown).toMatchObject({ code: exitCodes.wrongUsage });
    expect(unknown.stderr).toContain("of the model 'my-own'");
  });
});

describe('hermes parse --stream', () => {
  it('shows what is certain before the text has ended', async () => {
    const stdin = new PassThrough();
    let shown = '';
    const stdout: Output = {
      write(text) {
        shown += text;
        if (!stdin.writableEnded && shown.includes('{"path": "/t')) stdin.end('mp"}}</tool_call>');
      },
      isTerminal: false,
      columns: 80,
    };
    stdin.write('Ok. <tool_call>{"name": "ls", "arguments": {"path": "/t');
    const options = { stdin, stdout, environmentVariables: {} };
    expect(await runCli(['parse', '--format', 'hermes', '--stream'], options)).toBe(exitCodes.ran);
    expect(shown).toContain('{"path": "/tmp"}');
  });

  it('writes each event on a line and the result last, which folds to the same', async () => {
    const pieces = [...`Ok. ${CALL}`];
    const lines = linesOf(await parse(pieces, ['--format', 'hermes', '--stream', '--json']));
    const text = lines.flatMap((line) => (line.type === 'call_arguments' ? [line.text] : []));
    expect(text.length).toBeGreaterThan(5);
    expect(lines.at(-1)).toMatchObject({
      type: 'result',
      content: 'Ok.',
      toolCalls: [{ function: { arguments: text.join('') } }],
    });
  });

  it('marks a call that was shown and then proved broken', async () => {
    const pieces = [...'<tool_call>{"name": "ls", "arguments": {"path": "/t'];
    const ended = await parse(pieces, ['--format', 'hermes', '--stream']);
    expect(ended.stdout).toContain('{"path": "/t\n  dropped, see below');
    expect(ended.stdout).toContain('error truncated_call');
  });
});

describe('colours', () => {
  const shown = async (isTerminal: boolean, environmentVariables: Record<string, string>) => {
    let text = '';
    const write = (piece: string): void => {
      text += piece;
    };
    const stdout: Output = { write, isTerminal, columns: 80 };
    const stdin = Readable.from([`Ok. ${CALL}`]);
    await runCli(['parse', '--format', 'hermes'], { stdin, stdout, environmentVariables });
    return text.includes('\u001b[');
  };

  it('are for terminals only, and not against NO_COLOR', async () => {
    expect(await shown(true, {})).toBe(true);
    expect(await shown(false, {})).toBe(false);
    expect(await shown(true, { NO_COLOR: '1' })).toBe(false);
    expect(await shown(true, { TERM: 'dumb' })).toBe(false);
  });

  it('of the text itself never reach the terminal', async () => {
    const ended = await parse('a\u001b[31mb\tc', ['--format', 'hermes']);
    expect(ended.stdout).toContain('a\\u001b[31mb\tc');
  });
});

describe('what is wrong is one message and exit code 2', () => {
  it.each([
    [
      'an unknown format',
      ['--format', 'hermse'],
      /unknown format 'hermse'\. Did you mean hermes\? There is: .*mistral/,
    ],
    [
      'tools that are not there',
      ['-f', 'hermes', '-t', 'no.json'],
      /--tools no\.json: there is no such file\n/,
    ],
    ['tools that are no JSON', ['-f', 'hermes', '-t', 'text.json'], /--tools text\.json: .*JSON/],
    [
      'tools without a name',
      ['-f', 'hermes', '-t', 'nameless.json'],
      /tool 1 needs a function with a name/,
    ],
    ['a flag that is not there', ['--fromat', 'hermes'], /Did you mean --format\?/],
  ])('%s', (_, flags, message) =>
    inFolder(async (folder) => {
      await writeFile(join(folder, 'text.json'), 'no');
      await writeFile(join(folder, 'nameless.json'), '[{"type": "function"}]');
      const ended = await parse('text', flags, { workingDirectory: folder });
      expect(ended).toMatchObject({ code: exitCodes.wrongUsage, stdout: '' });
      expect(ended.stderr).toMatch(message);
    }),
  );
});

it('an interrupt ends the wait for a text that does not come', async () => {
  const stop = new AbortController();
  const stdin = new PassThrough();
  const ended = parse('', ['--format', 'hermes'], { stdin, signal: stop.signal });
  stdin.write('half', () => stop.abort());
  expect(await ended).toMatchObject({ code: exitCodes.interrupted });
  expect(stdin.destroyed).toBe(true);
});
