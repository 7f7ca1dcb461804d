import type { JsonObject } from '@hermes/protocol';
import { describe, expect, it } from 'vitest';
import { createTokenizer } from '../src/index.ts';
import { bytesWithTemplate, byteTokenizer } from './_referee.ts';

function load(change: JsonObject): () => void {
  const json = { ...byteTokenizer([]), ...change };
  return () => {
    createTokenizer({ tokenizerJson: JSON.stringify(json) });
  };
}

function split(regex: string): JsonObject {
  return { pre_tokenizer: { type: 'Split', pattern: { Regex: regex }, behavior: 'Isolated' } };
}

const UNSUPPORTED: readonly (readonly [string, JsonObject, RegExp])[] = [
  ['a normalizer', { normalizer: { type: 'Nmt' } }, /normalizer "Nmt"/],
  ['a pre-tokenizer', { pre_tokenizer: { type: 'UnicodeScripts' } }, /"UnicodeScripts"/],
  ['a decoder', { decoder: { type: 'CTC' } }, /decoder "CTC"/],
  ['a post-processor', { post_processor: { type: 'Mine' } }, /post-processor "Mine"/],
  ['a model', { model: { type: 'Neural' } }, /model "Neural"/],
  ['dropout', { model: { type: 'BPE', vocab: {}, merges: [], dropout: 0.1 } }, /"dropout" of BPE/],
  ['an anchor of a search', split('\\Ga'), /escape \\G/],
  ['a property', split('\\p{Emoji_Presentation}'), /property Emoji_Presentation/],
  ['a back reference', split('(a)\\1'), /escape \\1/],
  ['a letter that folds to two', split('(?i:ss)'), /without regard to case/],
  ['a kind of group', split('(?x: a)'), /this kind of group/],
];

const BROKEN: readonly (readonly [string, JsonObject, RegExp])[] = [
  ['no model', { model: null }, /has no model/],
  [
    'a merge of what is no token',
    { model: { type: 'BPE', vocab: { a: 0 }, merges: [['a', 'b']] } },
    /"b" of a merge/,
  ],
  [
    'a vocabulary that is none',
    { model: { type: 'BPE', vocab: [], merges: [] } },
    /vocabulary is no object/,
  ],
];

describe('what could only be approximated is refused by name', () => {
  it.each(UNSUPPORTED)('%s', (_, change, message) => {
    expect(load(change)).toThrow(expect.objectContaining({ code: 'UNSUPPORTED' }));
    expect(load(change)).toThrow(message);
  });

  it.each([
    ['{% include "x" %}', /the tag "include"/],
    ['{% for a in [1] recursive %}{% endfor %}', /a recursive loop/],
    ['{{ "a" | urlize }}', /the filter "urlize"/],
    ['{{ "a".encode() }}', /the method "encode" of str/],
    ['{{ "a".__class__ }}', /the attribute "__class__"/],
    ['{{ strftime_now("%c") }}', /the time format "%c"/],
  ])('%s', (template, message) => {
    const render = (): unknown =>
      bytesWithTemplate(template).render({
        messages: [{ role: 'user', content: 'hi' }],
        generationPrompt: false,
      });
    expect(render).toThrow(expect.objectContaining({ code: 'UNSUPPORTED' }));
    expect(render).toThrow(message);
  });
});

describe('a file that is broken says where', () => {
  it.each(BROKEN)('%s', (_, change, message) => {
    expect(load(change)).toThrow(expect.objectContaining({ code: 'FORMAT' }));
    expect(load(change)).toThrow(message);
  });

  it('names the file that is no JSON', () => {
    const broken = { tokenizerJson: JSON.stringify(byteTokenizer([])), configJson: '{' };
    expect(() => createTokenizer(broken)).toThrow(/tokenizer_config.json is no JSON/);
  });
});
