import { afterEach, describe, expect, it, vi } from 'vitest';
import { hostileTexts, tools } from '../bench/_hostile-texts.ts';
import { TextWindow } from '../src/_core/text-window.ts';
import { builtinParsers } from '../src/registry.ts';
import type { ToolCallParser } from '../src/types.ts';

/**
 * Characters of text that are touched on the way: those of the window at every piece of input, and
 * those that are looked at again. Quadratic reading of a text of this length touches millions.
 */
function charactersTouched(parser: ToolCallParser, text: string): number {
  let touched = 0;
  const { append, since, rewind } = TextWindow.prototype;
  vi.spyOn(TextWindow.prototype, 'append').mockImplementation(function (this: TextWindow, input) {
    append.call(this, input);
    touched += this.text.length;
  });
  vi.spyOn(TextWindow.prototype, 'since').mockImplementation(function (this: TextWindow, ...range) {
    const found = since.apply(this, range);
    touched += found.length;
    return found;
  });
  vi.spyOn(TextWindow.prototype, 'rewind').mockImplementation(function (this: TextWindow, offset) {
    touched += Math.max(0, this.offset - offset);
    rewind.call(this, offset);
  });
  const stream = parser.stream({ tools });
  for (let from = 0; from < text.length; from += 4) stream.push(text.slice(from, from + 4));
  stream.finish();
  return touched;
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe.each(builtinParsers.map((parser) => [parser.name, parser] as const))('%s', (_, parser) => {
  it.each(Object.entries(hostileTexts(parser)))('reads in linear steps: %s', (_kind, write) => {
    const text = write(8000);
    expect(charactersTouched(parser, text)).toBeLessThan(20 * text.length + 1000);
  });
});
