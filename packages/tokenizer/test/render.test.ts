import type { Message, RenderRequest, Tokenizer } from '@hermes/protocol';
import { describe, expect, it } from 'vitest';
import { createTokenizer } from '../src/index.ts';
import { bytesWithTemplate, byteTokenizer } from './_referee.ts';

const CHATML =
  '{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}';

function chatml(template = CHATML): Tokenizer {
  return createTokenizer({
    tokenizerJson: JSON.stringify(byteTokenizer(['<|im_start|>', '<|im_end|>'])),
    chatTemplate: template,
  });
}

const TALK: readonly Message[] = [
  { role: 'user', content: 'Hé' },
  { role: 'assistant', content: 'Ho 😀' },
  { role: 'user', content: 'More' },
  { role: 'assistant', content: 'End' },
];

function request(messages: readonly Message[], more: Partial<RenderRequest> = {}): RenderRequest {
  return { messages, generationPrompt: false, ...more };
}

function generatedTexts(tokenizer: Tokenizer, messages: readonly Message[]): string[] {
  const { ids, spans } = tokenizer.render(request(messages));
  return spans
    .filter((span) => span.generated)
    .map((span) => tokenizer.decode(ids.slice(span.start, span.end)));
}

describe('token spans', () => {
  it('are what a model would sample: from behind the generation prompt to the end of the turn', () => {
    expect(generatedTexts(chatml(), TALK)).toEqual(['Ho 😀<|im_end|>', 'End<|im_end|>']);
  });

  it('follow the generation tags of a template', () => {
    const template =
      "{% for m in messages %}{% if m.role == 'assistant' %}A:{% generation %}{{ m.content }}{% endgeneration %};{% else %}U:{{ m.content }};{% endif %}{% endfor %}";
    expect(generatedTexts(chatml(template), TALK)).toEqual(['Ho 😀', 'End']);
  });

  it('name the message that each part of the text comes from', () => {
    const tokenizer = chatml();
    const { ids, spans } = tokenizer.render(request(TALK.slice(0, 1)));
    expect(spans).toEqual([{ message: 0, start: 0, end: ids.length, generated: false }]);
  });

  it('claim nothing as sampled that the template writes otherwise than its prompt', () => {
    const template =
      '{% for m in messages %}[{{ m.content }}]{% endfor %}{% if add_generation_prompt %}(answer:{% endif %}';
    expect(generatedTexts(chatml(template), TALK)).toEqual([]);
  });
});

describe('what a template sees', () => {
  function shown(
    template: string,
    messages: readonly Message[],
    more: Partial<RenderRequest> = {},
  ) {
    return bytesWithTemplate(template).render(request(messages, more)).text;
  }

  function calling(args: string): Message[] {
    const call = { id: 'a', type: 'function' as const, function: { name: 'f', arguments: args } };
    return [{ role: 'assistant', content: null, tool_calls: [call] }];
  }

  const ARGUMENTS = '{{ messages[0].tool_calls[0].function.arguments | tojson }}';

  it('the arguments of a call as an object, with the order and the numbers as they were written', () => {
    expect(shown(ARGUMENTS, calling('{"2":1.0,"1":12345678901234567890}'))).toBe(
      '{"2": 1.0, "1": 12345678901234567890}',
    );
  });

  it('arguments that were encoded twice as the object all the same', () => {
    expect(shown(ARGUMENTS, calling('"{\\"a\\":1}"'))).toBe('{"a": 1}');
  });

  it('arguments that are no object as the text that they are', () => {
    expect(shown(ARGUMENTS, calling('{"a":'))).toBe('"{\\"a\\":"');
  });

  it('no property that is null', () => {
    expect(shown('{{ messages[0].content is defined }}', calling('{}'))).toBe('False');
  });

  it('reasoning under the names that templates know', () => {
    const thought: Message = { role: 'assistant', content: 'x', reasoning_content: 'why' };
    expect(shown('{{ messages[0].thinking }}', [thought])).toBe('why');
  });

  it('the special tokens, and switches that win over them', () => {
    const template = '{{ bos_token }}{{ eos_token }}{{ enable_thinking }}';
    const more = { arguments: { enable_thinking: false, eos_token: '!' } };
    expect(shown(template, TALK, more)).toBe('<BOS>!False');
  });

  it('the time that it is given', () => {
    expect(shown("{{ strftime_now('%Y-%m-%d') }}", TALK)).toBe('2026-03-05');
  });

  it('the template for tools where there are tools and one is made for them', () => {
    const templates = [
      { name: 'default', template: 'plain' },
      { name: 'tool_use', template: 'tools: {{ tools[0].function.name }}' },
    ];
    const tokenizer = createTokenizer({
      tokenizerJson: JSON.stringify(byteTokenizer([])),
      configJson: JSON.stringify({ chat_template: templates }),
    });
    const tools = [{ type: 'function' as const, function: { name: 'find' } }];
    expect(tokenizer.render(request(TALK)).text).toBe('plain');
    expect(tokenizer.render(request(TALK, { tools })).text).toBe('tools: find');
  });
});

describe('what cannot be rendered', () => {
  it('is the error of the template itself', () => {
    const tokenizer = bytesWithTemplate("{{ raise_exception('roles must alternate') }}");
    expect(() => tokenizer.render(request(TALK))).toThrow(
      expect.objectContaining({
        code: 'TEMPLATE',
        message: expect.stringContaining('roles must alternate'),
      }),
    );
  });

  it('is a conversation without messages, or without a template', () => {
    expect(() => chatml().render(request([]))).toThrow(/no messages/);
    const bare = createTokenizer({ tokenizerJson: JSON.stringify(byteTokenizer([])) });
    expect(() => bare.render(request(TALK))).toThrow(
      expect.objectContaining({ code: 'NO_TEMPLATE' }),
    );
  });
});
