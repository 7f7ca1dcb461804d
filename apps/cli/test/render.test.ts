import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { exitCodes } from '../src/index.ts';
import { type Ended, hermes } from './_run.ts';

function render(message: unknown, flags: readonly string[]): Promise<Ended> {
  const text = typeof message === 'string' ? message : JSON.stringify(message);
  return hermes(['render', ...flags], { stdin: Readable.from([text]) });
}

describe('hermes render', () => {
  it('writes the message of a chat API in the markup of a format, and nothing else', async () => {
    const message = {
      role: 'assistant',
      content: [{ type: 'text', text: 'Ok.' }],
      reasoning_content: 'Hm.',
      tool_calls: [
        { id: 'aB3dE5gH7', type: 'function', function: { name: 'f', arguments: '{"n": 1.0}' } },
        { function: { name: 'g', arguments: { list: [1] } } },
      ],
    };
    expect(await render(message, ['--format', 'mistral'])).toEqual({
      code: exitCodes.ran,
      stdout:
        '[THINK]Hm.[/THINK]Ok.[TOOL_CALLS]f[CALL_ID]aB3dE5gH7[ARGS]{"n": 1.0}[TOOL_CALLS]g[ARGS]{"list":[1]}',
      stderr: '',
    });
  });

  it('reads what hermes parse wrote: one format becomes another', async () => {
    const text =
      'Ok.\n<tool_call>{"name": "f", "arguments": {"id": 12345678901234567890}}</tool_call>';
    const parsed = await hermes(['parse', '-f', 'hermes', '--json'], {
      stdin: Readable.from([text]),
    });
    const ended = await render(parsed.stdout, ['--format', 'phi4_mini_json', '--json']);
    expect(JSON.parse(ended.stdout)).toEqual({
      format: 'phi4_mini_json',
      text: 'Ok.\nfunctools[{"name": "f", "arguments": {"id": 12345678901234567890}}]',
    });
  });

  it.each([
    ['no JSON', 'text', /the message on stdin: .*JSON/],
    ['no object', [1], /a JSON object is needed/],
    ['a content that is no text', { content: 5 }, /content is no text/],
    ['calls that are no list', { tool_calls: {} }, /the tool calls are no list/],
    ['a call without a name', { tool_calls: [{ function: {} }] }, /tool call 1 has no name/],
    [
      'arguments that are no JSON',
      { tool_calls: [{ function: { name: 'f', arguments: '{' } }] },
      /the arguments of tool call 1 are no JSON: /,
    ],
    [
      'arguments that are no object',
      { tool_calls: [{ function: { name: 'f', arguments: '[]' } }] },
      /the arguments of tool call 1 are no JSON object/,
    ],
    [
      'content that is markup of the format',
      { content: '<tool_call>{"name": "f"}</tool_call>' },
      /hermes cannot carry/,
    ],
  ])('refuses %s', async (_, message, says) => {
    const ended = await render(message, ['--format', 'hermes']);
    expect(ended).toMatchObject({ code: exitCodes.wrongUsage, stdout: '' });
    expect(ended.stderr).toMatch(says);
  });

  it('needs a format', async () => {
    const ended = await render({ content: 'x' }, []);
    expect(ended).toMatchObject({ code: exitCodes.wrongUsage });
    expect(ended.stderr).toMatch(/render needs --format NAME/);
  });
});
