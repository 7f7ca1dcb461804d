import { type GgufValue, writeGguf } from './gguf.ts';
import { shape } from './shape.ts';
import type { Tensor } from './tensor.ts';
import type { Vocabulary } from './vocabulary.ts';

/** llama.cpp's kinds of tokens. */
const KIND = { normal: 1, control: 3, userDefined: 4, unused: 5 } as const;

/** Qwen2's names of the parts of a layer, and llama.cpp's. */
const PARTS = [
  ['self_attn.q_proj', 'attn_q'],
  ['self_attn.k_proj', 'attn_k'],
  ['self_attn.v_proj', 'attn_v'],
  ['self_attn.o_proj', 'attn_output'],
  ['input_layernorm', 'attn_norm'],
  ['post_attention_layernorm', 'ffn_norm'],
  ['mlp.gate_proj', 'ffn_gate'],
  ['mlp.up_proj', 'ffn_up'],
  ['mlp.down_proj', 'ffn_down'],
] as const;

/** The whole model in one file for llama.cpp: weights, tokens and chat template. */
export function automatonGguf(
  vocabulary: Vocabulary,
  weights: ReadonlyMap<string, Tensor>,
  chatTemplate: string,
): Uint8Array {
  const tensors = new Map([...weights].map(([name, tensor]) => [ggufName(name), tensor]));
  const facts = new Map<string, GgufValue>([
    ...networkFacts(),
    ...tokenFacts(vocabulary),
    ['tokenizer.chat_template', { type: 'string', value: chatTemplate }],
  ]);
  return writeGguf(facts, tensors);
}

function networkFacts(): [string, GgufValue][] {
  const sizes: [string, number][] = [
    ['context_length', shape.context],
    ['embedding_length', shape.hidden],
    ['block_count', 1],
    ['feed_forward_length', shape.intermediate],
    ['attention.head_count', shape.heads],
    ['attention.head_count_kv', shape.keyValueHeads],
  ];
  return [
    ['general.architecture', { type: 'string', value: 'qwen2' }],
    ['general.name', { type: 'string', value: 'automaton' }],
    ['general.file_type', { type: 'uint32', value: 0 }],
    ...sizes.map(([name, value]): [string, GgufValue] => [
      `qwen2.${name}`,
      { type: 'uint32', value },
    ]),
    ['qwen2.attention.layer_norm_rms_epsilon', { type: 'float32', value: shape.normEpsilon }],
    ['qwen2.rope.freq_base', { type: 'float32', value: shape.ropeBase }],
  ];
}

function tokenFacts({
  rows,
  tokens,
  special,
  added,
  learned,
  idOf,
}: Vocabulary): [string, GgufValue][] {
  const ids = Array.from({ length: rows }, (_, id) => id);
  const kindOf = (token: string | undefined): number => {
    if (token === undefined) return KIND.unused;
    if (special.includes(token)) return KIND.control;
    return added.includes(token) ? KIND.userDefined : KIND.normal;
  };
  const end = idOf('<|im_end|>');
  return [
    ['tokenizer.ggml.model', { type: 'string', value: 'gpt2' }],
    ['tokenizer.ggml.pre', { type: 'string', value: 'gpt-2' }],
    [
      'tokenizer.ggml.tokens',
      { type: 'strings', value: ids.map((id) => tokens[id] ?? `[PAD${id}]`) },
    ],
    ['tokenizer.ggml.token_type', { type: 'int32s', value: ids.map((id) => kindOf(tokens[id])) }],
    [
      'tokenizer.ggml.merges',
      { type: 'strings', value: learned.pairs.map((pair) => pair.join(' ')) },
    ],
    ['tokenizer.ggml.eos_token_id', { type: 'uint32', value: end }],
    ['tokenizer.ggml.eot_token_id', { type: 'uint32', value: end }],
    ['tokenizer.ggml.padding_token_id', { type: 'uint32', value: idOf('<|endoftext|>') }],
    ['tokenizer.ggml.add_bos_token', { type: 'bool', value: false }],
  ];
}

function ggufName(name: string): string {
  switch (name) {
    case 'lm_head.weight':
      return 'output.weight';
    case 'model.embed_tokens.weight':
      return 'token_embd.weight';
    case 'model.norm.weight':
      return 'output_norm.weight';
  }
  const part = PARTS.find(([theirs]) => name.startsWith(`model.layers.0.${theirs}.`));
  if (part === undefined) throw new Error(`llama.cpp has no name for ${name}`);
  return `blk.0.${part[1]}${name.slice(name.lastIndexOf('.'))}`;
}
