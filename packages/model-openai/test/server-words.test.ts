import { describe, expect, it } from 'vitest';
import { isContextOverflow } from '../src/overflow-texts.ts';
import { readServerError } from '../src/server-error.ts';

describe('a context overflow', () => {
  it.each([
    "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens (100 in the messages, 8900 in the completion).",
    "This model's maximum context length is 1024 tokens. However, your prompt contains at least 1025 input tokens, which exceeds this limit even without any output tokens.",
    'The decoder prompt (length 2000) is longer than the maximum model length of 1024.',
    'max_tokens must be at least 1, got 0',
    "The input (1100 tokens) is longer than the model's context length (1024 tokens).",
    "Requested token count exceeds the model's maximum context length of 1024 tokens.",
    'request (3031 tokens) exceeds the available context size (2048 tokens), try increasing it',
    'context_length_exceeded',
    'the input length exceeds the context length',
    'prompt is too long: 210000 tokens > 200000 maximum',
    'Input is too long for requested model.',
    'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
    'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096.',
    'Please reduce the length of the messages or completion.',
    'Your input exceeds the context window of this model.',
  ])('is known by: %s', (text) => {
    expect(isContextOverflow(text)).toBe(true);
  });

  it.each([
    'max_tokens=5000 cannot be greater than max_model_len=1024. Please request fewer output tokens.',
    'max_completion_tokens is too large: 5000.This model supports at most 1024 completion tokens.',
    'temperature must be non-negative, got -1.0.',
    'Rate limit reached: 30000 tokens per min.',
    'Messages cannot be empty.',
    '',
  ])('is not seen in: %s', (text) => {
    expect(isContextOverflow(text)).toBe(false);
  });
});

describe('an error body', () => {
  it.each([
    [
      'OpenAI',
      { error: { message: 'm', type: 't', param: null, code: 'c' } },
      { message: 'm', type: 't', code: 'c' },
    ],
    [
      'vLLM',
      { error: { message: 'm', type: 't', param: null, code: 400 } },
      { message: 'm', type: 't', code: '400' },
    ],
    [
      'SGLang',
      { object: 'error', message: 'm', type: 't', code: 400 },
      { message: 'm', type: 't', code: '400' },
    ],
    ['Ollama', { error: 'm' }, { message: 'm', type: null, code: null }],
    ['no words', { error: { message: '' } }, { message: '', type: null, code: null }],
    ['FastAPI', { detail: 'm' }, { message: 'm', type: null, code: null }],
    [
      'FastAPI with a list',
      { detail: [{ msg: 'x' }] },
      { message: '[{"msg":"x"}]', type: null, code: null },
    ],
    [
      'an object without a message',
      { error: { reason: 'x' } },
      { message: '{"reason":"x"}', type: null, code: null },
    ],
  ])('of %s is read', (_server, body, expected) => {
    expect(readServerError(body)).toEqual(expected);
  });

  it.each([[{ error: null }], [{ choices: [] }], [null], ['text'], [[]]])(
    'is not seen in %j',
    (body) => {
      expect(readServerError(body)).toBeNull();
    },
  );
});
