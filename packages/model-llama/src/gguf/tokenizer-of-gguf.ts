import { ModelError, type Tokenizer } from '@hermes/protocol';
import { createTokenizer } from '@hermes/tokenizer';
import type { LlamaModel } from 'node-llama-cpp';
import { addedTokens, type GgufTokens, learnedTokens, mergesOf } from './gguf-tokens.ts';
import { preTokenizerOf } from './pre-tokenizers.ts';

/**
 * The tokenizer that a GGUF file holds. The file says which one was used by a name alone; a name
 * that is not known here is refused, and the folder of the original model has the tokenizer.
 */
export function tokenizerOfGguf(model: LlamaModel, path: string): Tokenizer {
  const { ggml, chat_template: chatTemplate } = model.fileInfo.metadata.tokenizer;
  const tokens: GgufTokens = {
    texts: ggml.tokens,
    kinds: ggml.token_type ?? [],
    merges: ggml.merges ?? [],
  };
  const style = ggml.model === 'gpt2' ? preTokenizerOf(ggml.pre ?? 'default') : null;
  if (style === null)
    throw new ModelError(
      'UNSUPPORTED',
      `The tokenizer in ${path} (${ggml.model}, ${ggml.pre ?? 'no name'}) is not known. Give that of the original model: its folder with tokenizer.json.`,
    );
  return createTokenizer({
    tokenizerJson: JSON.stringify({
      added_tokens: addedTokens(tokens),
      normalizer: null,
      pre_tokenizer: style.preTokenizer,
      post_processor: null,
      decoder: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: true, use_regex: true },
      model: {
        type: 'BPE',
        ignore_merges: style.ignoresMerges,
        vocab: learnedTokens(tokens),
        merges: mergesOf(tokens),
      },
    }),
    configJson: JSON.stringify(namedTokens(tokens.texts, ggml)),
    generationConfigJson: JSON.stringify({ eos_token_id: turnEnds(ggml) }),
    ...(chatTemplate === undefined ? {} : { chatTemplate }),
  });
}

type NamedIds = Readonly<{ bos_token_id?: number; eos_token_id?: number; eot_token_id?: number }>;

function namedTokens(texts: readonly string[], { bos_token_id, eos_token_id }: NamedIds): object {
  const named = { bos_token: bos_token_id, eos_token: eos_token_id };
  return Object.fromEntries(
    Object.entries(named).flatMap(([name, id]) => {
      const text = id === undefined ? undefined : texts[id];
      return text === undefined ? [] : [[name, text]];
    }),
  );
}

function turnEnds({ eos_token_id, eot_token_id }: NamedIds): number[] {
  return [...new Set([eos_token_id, eot_token_id].flatMap((id) => id ?? []))];
}
