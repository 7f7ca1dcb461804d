import { TokenizerError } from '../../tokenizer-error.ts';
import { type ComponentJson, text } from '../component.ts';
import type { Normalizer } from './create-normalizer.ts';

/** SentencePiece's table of replacements, a double-array trie over UTF-8 bytes. */
export function createPrecompiled(json: ComponentJson): Normalizer {
  if (json.precompiled_charsmap === null) return (input) => input;
  const charsmap = new Charsmap(decodeBase64(text(json, 'precompiled_charsmap')));
  return (input) => normalize(input, charsmap);
}

/** Short clusters are looked up whole, everything else character by character. */
function normalize(input: string, charsmap: Charsmap): string {
  const encoder = new TextEncoder();
  let result = '';
  for (const { segment } of new Intl.Segmenter('en').segment(input)) {
    const bytes = encoder.encode(segment);
    const whole = bytes.length < 6 ? charsmap.lookup(bytes) : null;
    if (whole !== null) result += whole;
    else
      for (const character of segment)
        result += charsmap.lookup(encoder.encode(character)) ?? character;
  }
  return result;
}

class Charsmap {
  private readonly units: Uint32Array;
  private readonly strings: Uint8Array;

  constructor(bytes: Uint8Array) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const size = view.byteLength < 4 ? Number.NaN : view.getUint32(0, true);
    if (!(size <= bytes.length - 4)) throw new TokenizerError('FORMAT', 'The charsmap is cut off');
    this.units = Uint32Array.from({ length: size / 4 }, (_, index) =>
      view.getUint32(4 + index * 4, true),
    );
    this.strings = bytes.subarray(4 + size);
  }

  /** The replacement of the shortest beginning that has one, as the reference takes it; null = none. */
  lookup(key: Uint8Array): string | null {
    let position = 0;
    let unit = this.unit(0);
    position ^= offsetOf(unit);
    for (const byte of key) {
      if (byte === 0) return null;
      position ^= byte;
      unit = this.unit(position);
      if ((unit & 0x800000ff) >>> 0 !== byte) return null;
      position ^= offsetOf(unit);
      if (((unit >>> 8) & 1) === 1) return this.stringAt(this.unit(position) & 0x7fffffff);
    }
    return null;
  }

  private unit(position: number): number {
    return this.units[position] ?? 0;
  }

  private stringAt(start: number): string {
    const end = this.strings.indexOf(0, start);
    return new TextDecoder().decode(
      this.strings.subarray(start, end === -1 ? this.strings.length : end),
    );
  }
}

function offsetOf(unit: number): number {
  return ((unit >>> 10) << ((unit & 0x200) >>> 6)) >>> 0;
}

function decodeBase64(encoded: string): Uint8Array {
  return Uint8Array.from(Buffer.from(encoded, 'base64'));
}
