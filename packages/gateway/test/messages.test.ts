import Anthropic from '@anthropic-ai/sdk';
import { describe, expect, it } from 'vitest';
import { openGateway, scriptedBackend } from './_gateway.ts';

const tools = [{ name: 'add', input_schema: { type: 'object' as const } }];
const script = [
  {
    reasoning: 'hm',
    content: 'let me see',
    calls: [
      { id: 'call_1', name: 'add', arguments: { a: 1 } },
      { id: 'call_2', name: 'add' },
    ],
  },
  'it is 2',
];

describe('a foreign agent that speaks messages', () => {
  it.each([false, true])(
    'plays a tool loop, streaming: %s, and leaves one segment',
    async (stream) => {
      const { gateway } = await openGateway(scriptedBackend(script));
      const client = new Anthropic({ baseURL: `${gateway.baseUrl}/run-1`, apiKey: 'any' });
      const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'add' }];
      const ask = () => {
        const body = { model: 'x', max_tokens: 100, system: 'be brief', messages, tools };
        return stream ? client.messages.stream(body).finalMessage() : client.messages.create(body);
      };
      const first = await ask();
      expect(first.stop_reason).toBe('tool_use');
      expect(first.content).toMatchObject([
        { type: 'thinking', thinking: 'hm' },
        { type: 'text', text: 'let me see' },
        { type: 'tool_use', id: 'call_1', name: 'add', input: { a: 1 } },
        { type: 'tool_use', id: 'call_2', name: 'add', input: {} },
      ]);
      expect(first.usage).toMatchObject({ output_tokens: 5 });
      messages.push(
        { role: 'assistant', content: first.content },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'call_1', content: '2' },
            { type: 'tool_result', tool_use_id: 'call_2', content: [{ type: 'text', text: '3' }] },
          ],
        },
      );
      const last = await ask();
      expect(last).toMatchObject({
        stop_reason: 'end_turn',
        content: [{ type: 'text', text: 'it is 2' }],
      });
      expect(gateway.segments('run-1')).toHaveLength(1);
    },
  );

  it('becomes messages of ours', async () => {
    const seen: unknown[] = [];
    const { ask } = await openGateway(
      scriptedBackend((request) => {
        seen.push(request);
        return 'ok';
      }),
    );
    const body = {
      max_tokens: 5,
      system: [
        { type: 'text', text: 'a', cache_control: { type: 'ephemeral' } },
        { type: 'text', text: 'b' },
      ],
      stop_sequences: ['X'],
      top_k: 3,
      tools,
      tool_choice: { type: 'any' },
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'one' }] },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'c', name: 'add', input: { z: 1, a: 2 } }],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'c', is_error: true },
            { type: 'text', text: 'two' },
          ],
        },
      ],
    };
    expect((await ask('POST', '/s/v1/messages', body)).status).toBe(200);
    expect(seen).toEqual([
      {
        messages: [
          { role: 'system', content: 'a\n\nb' },
          { role: 'user', content: 'one' },
          {
            role: 'assistant',
            content: '',
            tool_calls: [
              { id: 'c', type: 'function', function: { name: 'add', arguments: '{"z":1,"a":2}' } },
            ],
          },
          { role: 'tool', tool_call_id: 'c', content: '' },
          { role: 'user', content: 'two' },
        ],
        tools: [{ type: 'function', function: { name: 'add', parameters: { type: 'object' } } }],
        toolChoice: 'required',
        sampling: { temperature: 1, topK: 3, maxTokens: 5, stop: ['X'] },
      },
    ]);
  });

  it('gets errors in its own form, also in the middle of a stream', async () => {
    const { ask } = await openGateway(scriptedBackend({ content: 'half', error: 'RATE_LIMIT' }));
    const body = { max_tokens: 5, messages: [{ role: 'user', content: 'x' }] };
    expect(await ask('POST', '/s/v1/messages', body)).toMatchObject({
      status: 429,
      body: { type: 'error', error: { type: 'rate_limit_error' } },
    });
    const { text } = await ask('POST', '/s/v1/messages', { ...body, stream: true });
    expect(text).toMatch(/event: error\ndata: \{"type":"error"[^\n]*\}\n\n$/);
    const missing = await ask('POST', '/s/v1/messages', { messages: body.messages });
    expect(missing).toMatchObject({
      status: 400,
      body: { error: { type: 'invalid_request_error' } },
    });
    expect(missing.body.error.message).toContain('max_tokens');
  });
});
