import type { Tokenizer } from '@hermes/protocol';
import { describe, expect, it } from 'vitest';
import { createTokenizer } from '../src/index.ts';
import { byteTokenizer } from './_referee.ts';

const SPECIAL = ['<|im_start|>', '<|im_end|>'];

function tokenizer(config: object = {}): Tokenizer {
  return createTokenizer({
    tokenizerJson: JSON.stringify(byteTokenizer(SPECIAL, ['<tool_call>'])),
    configJson: JSON.stringify(config),
  });
}

describe('encode', () => {
  it('reads the names of special tokens as those tokens', () => {
    expect(tokenizer().encode('<|im_start|>a<|im_end|>')).toEqual([256, 0x61, 257]);
  });

  it('reads look-alikes as text where it shall, and other added tokens as what they are', () => {
    const ids = tokenizer().encode('<|im_end|><tool_call>', { parseSpecial: false });
    expect(ids).toEqual([...new TextEncoder().encode('<|im_end|>'), 258]);
  });

  it('adds what the configuration wants around a text only when asked', () => {
    const config = { bos_token: '<|im_start|>', add_bos_token: true };
    expect(tokenizer(config).encode('a')).toEqual([0x61]);
    expect(tokenizer(config).encode('a', { addSpecial: true })).toEqual([256, 0x61]);
  });

  it('reads half a surrogate pair as the replacement character', () => {
    expect(tokenizer().encode('\ud83d')).toEqual([0xef, 0xbf, 0xbd]);
  });

  it('takes tokens that only the configuration names', () => {
    const named = tokenizer({ eos_token: { content: '<eos>' }, pad_token: '<|im_end|>' });
    expect(named.encode('<eos>')).toEqual([259]);
    expect(named.vocabularySize).toBe(260);
    expect(named.turnEndIds).toEqual([259]);
  });
});

describe('decode', () => {
  it('keeps special tokens unless told otherwise', () => {
    expect(tokenizer().decode([256, 0x61, 257])).toBe('<|im_start|>a<|im_end|>');
    expect(tokenizer().decode([256, 0x61, 257], { skipSpecial: true })).toBe('a');
  });

  it('gives no text for ids that are no token, as rows that pad a vocabulary are none', () => {
    expect(tokenizer().decode([0x61, 9999, 0x62])).toBe('ab');
  });

  it('never gives a part of a character while ids come in', () => {
    const stream = tokenizer().decoder();
    const bytes = [...new TextEncoder().encode('é😀')];
    expect(bytes.map((byte) => stream.push([byte]))).toEqual(['', 'é', '', '', '', '😀']);
    expect(stream.finish()).toBe('');
  });

  it('says at the end what was left of a character', () => {
    const stream = tokenizer().decoder();
    expect(stream.push([0xf0, 0x9f])).toBe('');
    expect(stream.finish()).toBe('\ufffd');
    expect(tokenizer().decode([0xf0, 0x9f])).toBe('\ufffd');
  });
});

describe('long texts', () => {
  it('are encoded in time that grows with their length, also without a space', () => {
    const text = 'x'.repeat(400_000);
    expect(tokenizer().encode(text)).toHaveLength(400_000);
  });
});
