import { describe, expect, it } from 'vitest';
import { type Keep, OutputCollector } from '../src/core/output-collector.ts';

function collect(maxBytes: number, keep: Keep, text: string, step: number): OutputCollector {
  const collector = new OutputCollector(maxBytes, keep);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += step) collector.add(at, bytes.subarray(at, at + step));
  return collector;
}

describe('a capped output', () => {
  it.each([
    ['head_tail', 'abcxyz'],
    ['head', 'abcdef'],
    ['tail', 'uvwxyz'],
  ] as const)('keeps the %s and counts the rest exactly', (keep, kept) => {
    for (const step of [1, 2, 5, 26]) {
      const output = collect(6, keep, 'abcdefghijklmnopqrstuvwxyz', step).finish();
      expect(Buffer.from(output.bytes).toString()).toBe(kept);
      expect([output.totalBytes, output.droppedBytes]).toEqual([26, 20]);
    }
  });

  it('keeps everything of what fits', () => {
    const output = collect(26, 'head_tail', 'abcdefghijklmnopqrstuvwxyz', 4).finish();
    expect(output.text()).toBe('abcdefghijklmnopqrstuvwxyz');
    expect(output.droppedBytes).toBe(0);
  });

  it('names the dropped bytes in a line of their own, where they are missing', () => {
    const output = collect(8, 'head_tail', 'abcdefghijklmnopqrstuvwxyz', 26).finish();
    expect(output.text()).toBe('abcd\n[... 18 bytes of output dropped ...]\nwxyz');
  });

  it('takes a gap that the other side made, and its count', () => {
    const collector = new OutputCollector(8, 'head_tail');
    collector.add(0, Buffer.from('abcd'));
    collector.add(22, Buffer.from('wxyz'));
    const output = collector.finish(26);
    expect(Buffer.from(output.bytes).toString()).toBe('abcdwxyz');
    expect(output.droppedBytes).toBe(18);
  });

  it('takes what is sent twice once', () => {
    const collector = new OutputCollector(100, 'head_tail');
    collector.add(0, Buffer.from('abc'));
    expect(collector.add(1, Buffer.from('bcde')).toString()).toBe('de');
    expect(collector.add(0, Buffer.from('ab')).length).toBe(0);
    expect(collector.finish().text()).toBe('abcde');
  });

  it('holds little more than its cap, however much comes', () => {
    const collector = new OutputCollector(1_000_000, 'head_tail');
    const chunk = Buffer.alloc(65_536, 'z');
    for (let at = 0; at < 3000; at += 1) collector.add(at * chunk.length, chunk);
    const output = collector.finish();
    expect(output.bytes.length).toBe(1_000_000);
    expect(output.totalBytes).toBe(3000 * 65_536);
  });
});

describe('the text of an output', () => {
  it.each([
    ['a character in two chunks', ['e2 82', 'ac'], '€'],
    ['an end in the middle of a character', ['61 e2 82'], 'a\ufffd'],
    ['a byte that is no UTF-8', ['61 ff 62'], 'a\ufffdb'],
    ['a byte order mark', ['ef bb bf 61'], '\ufeffa'],
  ])('decodes %s', (_what, chunks, text) => {
    const collector = new OutputCollector(100, 'head_tail');
    for (const chunk of chunks)
      collector.add(collector.next, Buffer.from(chunk.replaceAll(' ', ''), 'hex'));
    expect(collector.finish().text()).toBe(text);
  });

  it('shows no broken character where the gap cut one', () => {
    const output = collect(8, 'head_tail', '€'.repeat(20), 7).finish();
    expect(output.text()).toBe('€\n[... 52 bytes of output dropped ...]\n€');
  });
});
