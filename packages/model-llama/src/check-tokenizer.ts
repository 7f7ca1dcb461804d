import { ModelError, type Tokenizer } from '@hermes/protocol';
import type { LlamaModel } from 'node-llama-cpp';
import { isAdded } from './gguf/gguf-tokens.ts';

/** Where tokenizers differ: words, numbers, spaces, lines, apostrophes, other scripts, marks, code. */
const PROBES = [
  'The quick brown fox jumps over 13 lazy dogs, 2024-06-30: 1234567 times!',
  "I'll say it's DON'T and we've, they'RE",
  '  two  spaces\n\n\n\tand\ta tab \r\n end   ',
  'Grüße aus Zürich, señor! Ça va? naïve ﬁne',
  '世界你好。こんにちは 안녕하세요 Привет мир שלום नमस्ते',
  '😀👩‍👩‍👧‍👦 e\u0301 \u00a0\u200b\u3000',
  'def f(x):\n    return {"a": [x**2, 0x1F, 1e-7]}  # <b>&amp;</b>\n',
];

/** Compares a tokenizer with the one that the model itself has; `CONFIG` says what differs. */
export function checkTokenizer(tokenizer: Tokenizer, model: LlamaModel, path: string): void {
  const rows = model.fileInfo.metadata.tokenizer.ggml.tokens.length;
  if (tokenizer.vocabularySize > rows)
    throw new ModelError(
      'CONFIG',
      `The tokenizer has ${tokenizer.vocabularySize} tokens and ${path} only ${rows}: it belongs to another model.`,
    );
  for (const text of [...PROBES, ...tokenizer.specialTokens.keys(), ...addedTexts(model)]) {
    const ours = tokenizer.encode(text);
    const theirs = model.tokenize(text, true);
    if (ours.join() === theirs.join()) continue;
    throw new ModelError(
      'CONFIG',
      `The tokenizer does not fit ${path}: for ${JSON.stringify(text)} it gives ${ours.join(' ')}, the model expects ${theirs.join(' ')}.`,
    );
  }
}

/** Whatever the model reads as one token before it looks for words: a call or an answer as a whole, for example. */
function addedTexts({ fileInfo }: LlamaModel): string[] {
  const { tokens, token_type: kinds = [] } = fileInfo.metadata.tokenizer.ggml;
  return tokens.filter((_text, id) => isAdded(kinds[id]));
}
