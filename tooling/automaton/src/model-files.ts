import { shape } from './shape.ts';
import type { Vocabulary } from './vocabulary.ts';

const END = '<|im_end|>';
const PAD = '<|endoftext|>';

/** `config.json`, as `transformers`, vLLM and SGLang read it. */
export function configJson(vocabulary: Vocabulary): object {
  return {
    architectures: ['Qwen2ForCausalLM'],
    attention_dropout: 0,
    bos_token_id: null,
    dtype: 'float32',
    eos_token_id: vocabulary.idOf(END),
    hidden_act: 'silu',
    hidden_size: shape.hidden,
    initializer_range: 0.02,
    intermediate_size: shape.intermediate,
    max_position_embeddings: shape.context,
    model_type: 'qwen2',
    num_attention_heads: shape.heads,
    num_hidden_layers: 1,
    num_key_value_heads: shape.keyValueHeads,
    pad_token_id: vocabulary.idOf(PAD),
    rms_norm_eps: shape.normEpsilon,
    rope_theta: shape.ropeBase,
    sliding_window: null,
    tie_word_embeddings: false,
    torch_dtype: 'float32',
    use_cache: true,
    use_sliding_window: false,
    vocab_size: vocabulary.rows,
  };
}

/** `generation_config.json`. */
export function generationConfigJson({ idOf }: Vocabulary): object {
  return { eos_token_id: [idOf(END), idOf(PAD)], pad_token_id: idOf(PAD) };
}

/** `tokenizer_config.json`. */
export function tokenizerConfigJson(): object {
  return {
    additional_special_tokens: ['<|im_start|>'],
    clean_up_tokenization_spaces: false,
    eos_token: END,
    model_max_length: shape.context,
    pad_token: PAD,
    tokenizer_class: 'PreTrainedTokenizerFast',
  };
}

/** `tokenizer.json`. */
export function tokenizerJson({ learned, special, added, idOf }: Vocabulary): object {
  const byteLevel = { type: 'ByteLevel', trim_offsets: true, use_regex: true };
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: [...special, ...added].map((content) => ({
      id: idOf(content),
      content,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
      special: special.includes(content),
    })),
    normalizer: null,
    pre_tokenizer: { ...byteLevel, add_prefix_space: false },
    post_processor: null,
    decoder: { ...byteLevel, add_prefix_space: true },
    model: {
      type: 'BPE',
      dropout: null,
      unk_token: null,
      continuing_subword_prefix: null,
      end_of_word_suffix: null,
      fuse_unk: false,
      byte_fallback: false,
      ignore_merges: false,
      vocab: Object.fromEntries(learned.tokens.map((token, id) => [token, id])),
      merges: learned.pairs,
    },
  };
}
