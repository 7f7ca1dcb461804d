import { createTokenizer } from '@hermes/tokenizer';
import { expect, it } from 'vitest';
import { buildAutomaton, callText, defaultScript } from '../src/index.ts';
import { readGguf } from './_read-gguf.ts';
import { readSafetensors } from './_read-safetensors.ts';

const files = buildAutomaton();
const text = (name: string): string => Buffer.from(bytes(name)).toString('utf8');
const bytes = (name: string): Uint8Array => files.get(name) ?? new Uint8Array();
const tokenizer = createTokenizer({
  tokenizerJson: text('tokenizer.json'),
  configJson: text('tokenizer_config.json'),
  chatTemplate: text('chat_template.jinja'),
  generationConfigJson: text('generation_config.json'),
});

it('is the same bytes for the same script, and others for another', () => {
  const same = buildAutomaton();
  for (const [name, content] of files)
    expect(Buffer.from(content).equals(same.get(name) ?? new Uint8Array()), name).toBe(true);
  const other = buildAutomaton({ ...defaultScript, callAgain: 0.8 });
  expect(
    Buffer.from(bytes('automaton.gguf')).equals(other.get('automaton.gguf') ?? new Uint8Array()),
  ).toBe(false);
});

it('holds the same numbers in both files of weights', () => {
  const safetensors = readSafetensors(bytes('model.safetensors'));
  const gguf = readGguf(bytes('automaton.gguf'));
  expect(gguf.size).toBe(safetensors.size);
  expect([...gguf.values()].sort()).toEqual([...safetensors.values()].sort());
});

it('learns words from its corpus and has the calls and answers as single tokens', () => {
  expect(tokenizer.encode('What is the weather?')).toEqual([341, 277, 332, 356, 33]);
  const [call, answer] = [defaultScript.calls[1]?.text ?? '', defaultScript.answers[0]?.text ?? ''];
  expect(tokenizer.encode(`<tool_call>${call}</tool_call><|im_end|>`)).toEqual([363, 370, 364, 2]);
  expect(tokenizer.encode(answer)).toEqual([371]);
  expect(tokenizer.turnEndIds[0]).toBe(2);
});

it('gives a text of all planes back as it was', () => {
  const all = 'Grüße, 世界! 😀 \u0000\u007f\u00ad\ufffd <tool_response>\n';
  expect(tokenizer.decode(tokenizer.encode(all))).toBe(all);
});

it('writes a call otherwise than its template does, which is what re-tokenising gets wrong', () => {
  const call = { name: 'terminal', arguments: '{"command":"echo hello"}' };
  const { text: rendered } = tokenizer.render({
    messages: [
      { role: 'user', content: 'go' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'a', type: 'function', function: call }],
      },
    ],
    generationPrompt: false,
  });
  expect(rendered).toContain('"terminal"');
  expect(rendered).not.toContain(callText('terminal', { command: 'echo hello' }));
});

it('refuses a script that names a text twice or has more texts than places', () => {
  const twice = [defaultScript.answers[0], defaultScript.answers[0]].flatMap((one) => one ?? []);
  expect(() => buildAutomaton({ ...defaultScript, answers: twice })).toThrow('different texts');
  const many = Array.from({ length: 200 }, (_, index) => ({ text: `answer ${index}.`, weight: 1 }));
  expect(() => buildAutomaton({ ...defaultScript, answers: many })).toThrow('has room for');
});
