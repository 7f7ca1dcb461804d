import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { messagesOf, outcomeOf, playLive } from './_live.ts';

const CALL = '<tool_call>{"name": "note", "arguments": {"word": "apple"}}</tool_call>';

it('--parser names a format of @hermes/parsers: calls in the text are played', () =>
  playLive([CALL, 'Done.'], ['--parser', 'hermes'], async ({ records, server, folder }) => {
    expect(records.map(outcomeOf)).toEqual(['reward 1, natural']);
    const run = JSON.parse(await readFile(join(folder, 'run/run.json'), 'utf8'));
    expect(run.plan.parser).toBe('hermes');
    // nothing is left of the text: the model must not see its call twice
    const answer = messagesOf(server, 2).find((message) => message.role === 'assistant');
    expect(answer).toMatchObject({ content: '', tool_calls: [{ function: { name: 'note' } }] });
  }));

it('the parser is the configured one, also from the configuration and under an alias', () =>
  playLive(
    ['[note(word="apple")]', 'Done.'],
    ['--env.tool_call_parser', 'llama4_pythonic'],
    ({ records }) => expect(records.map(outcomeOf)).toEqual(['reward 1, natural']),
  ));

it('calls of another format stay text', () =>
  playLive([CALL], ['--parser', 'mistral'], ({ records }) =>
    expect(records.map(outcomeOf)).toEqual(['reward 0, natural']),
  ));

it('a call that the parser had to drop is answered, so that the model can mend it', () =>
  playLive(
    ['I note it. <tool_call>{"name": "note", "arguments": {"word": "ap', CALL, 'Done.'],
    ['--parser', 'hermes'],
    ({ records, server }) => {
      expect(records.map(outcomeOf)).toEqual(['reward 1, natural']);
      const answer = messagesOf(server, 2).at(-1);
      expect(answer).toMatchObject({ role: 'tool' });
      expect(JSON.stringify(answer)).toContain('The text ends inside the call of note');
    },
  ));
