import { describe, expect, it } from 'vitest';
import { detect } from '../src/detect.ts';
import { FormatNotDetectedError } from '../src/format-not-detected-error.ts';
import { getParser } from '../src/registry.ts';
import { readVectorFiles } from './_vectors.ts';

describe('detect by the model id', () => {
  it.each([
    ['Qwen/Qwen3-Coder-30B-A3B-Instruct', 'qwen3_coder'],
    ['Qwen/Qwen3-8B', 'hermes'],
    ['NousResearch/Hermes-3-Llama-3.1-8B', 'hermes'],
    ['NousResearch/Hermes-2-Pro-Mistral-7B', 'hermes'],
    ['meta-llama/Llama-3.3-70B-Instruct', 'llama3_json'],
    ['meta-llama/Llama-4-Scout-17B-16E-Instruct', 'pythonic'],
    ['deepseek-ai/DeepSeek-V3-0324', 'deepseek_v3'],
    ['deepseek-ai/DeepSeek-V3.1-Terminus', 'deepseek_v3_1'],
    ['deepseek-ai/DeepSeek-V3.2', 'deepseek_v32'],
    ['deepseek-ai/DeepSeek-V3.2-Exp', 'deepseek_v3_1'],
    ['zai-org/GLM-4.7-Flash', 'glm47'],
    ['moonshotai/Kimi-K2.5', 'kimi_k2'],
    ['MiniMaxAI/MiniMax-M2.1', 'minimax_m2'],
    ['ibm-granite/granite-4.0-h-small', 'granite4'],
    ['ibm-granite/granite-3.3-8b-instruct', 'granite'],
    ['openai/gpt-oss-20b', 'harmony'],
    ['stepfun-ai/Step-3.5-Flash', 'qwen3_coder'],
    ['Salesforce/Llama-xLAM-2-8b-fc-r', 'xlam'],
    ['nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B', 'qwen3_coder'],
  ])('%s speaks %s', (modelId, format) => {
    expect(detect({ modelId }).format).toBe(format);
  });

  it('names the part of the id that tells the format', () => {
    expect(detect({ modelId: 'Qwen/Qwen3.5-9B' })).toEqual({
      format: 'qwen3_coder',
      confidence: 0.9,
      reason: 'the model id holds "qwen3.5"',
    });
  });

  it('answers an unknown model with the names of all formats, or with the fallback', () => {
    expect(() => detect({ modelId: 'acme/unheard-of' })).toThrow(FormatNotDetectedError);
    expect(() => detect({ modelId: 'acme/unheard-of' })).toThrow(
      /format of the model 'acme\/unheard-of' was not recognised. Name one of \[apertus, .*xlam/,
    );
    expect(detect({ modelId: 'acme/unheard-of' }, { fallback: 'hermes' })).toEqual({
      format: 'hermes',
      confidence: 0,
      reason: 'nothing gave a format away',
    });
  });

  it('says what was given in place of a string', () => {
    expect(() => detect({ modelId: 3 as unknown as string })).toThrow(
      new TypeError('modelId must be a string, but is number'),
    );
  });
});

describe('detect by the text', () => {
  it.each(readVectorFiles().map((file) => [file.format, file] as const))(
    'the format that it names reads the calls of %s',
    (_, file) => {
      const single = file.vectors.find((vector) => vector.id.endsWith('/single'));
      if (single === undefined) throw new Error(`no single call in ${file.format}`);
      const { format } = detect({ text: single.text });
      const { toolCalls } = getParser(format).parse(single.text);
      expect(toolCalls.map((call) => call.function.name)).toEqual(
        single.expect.calls.map((call) => call.name),
      );
    },
  );

  it('finds nothing in plain text', () => {
    expect(() => detect({ text: 'Hello {there}, see [1] and f(x).' })).toThrow(
      FormatNotDetectedError,
    );
  });
});

describe('detect by the chat template', () => {
  it.each([
    ['{{- \'<tool_call>\\n{"name": "\' }}{{- tool_call.name }}', 'hermes'],
    ["{{- '<tool_call>\\n<function=' + tool_call.name + '>\\n' }}", 'qwen3_coder'],
    ["{{ '[TOOL_CALLS]' + name + '[ARGS]' + arguments }}", 'mistral'],
    [
      "{{'<｜tool▁call▁begin｜>' + type + '<｜tool▁sep｜>' + name + '\\n' + '```json'}}",
      'deepseek_v3',
    ],
    ["{{'<｜tool▁call▁begin｜>' + name + '<｜tool▁sep｜>' + arguments}}", 'deepseek_v3_1'],
    ['{{- "<|python_tag|>" + name }}', 'llama3_json'],
  ])('%s is of %s', (chatTemplate, format) => {
    expect(detect({ chatTemplate }).format).toBe(format);
  });

  it('believes a marker of one format more than the model id, and the id more than a shared one', () => {
    const modelId = 'acme/granite-4-tuned';
    expect(detect({ modelId, chatTemplate: "'<longcat_tool_call>'" }).format).toBe('longcat');
    expect(detect({ modelId, chatTemplate: "'<tool_call>'" }).format).toBe('granite4');
  });
});
