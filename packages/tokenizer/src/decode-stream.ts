import { type ComponentJson, components, isObject } from './pipeline/component.ts';
import { fallbackByte } from './pipeline/decoders/byte-fallback.ts';
import { bytesOfToken } from './pipeline/decoders/byte-level.ts';

/** Decodes ids as they come, never a part of a character. */
export type DecodeStream = Readonly<{ push(ids: readonly number[]): string; finish(): string }>;

/** What a stream needs of its tokenizer. */
export type StreamSource = Readonly<{
  decoderJson: unknown;
  tokenOf: (id: number) => string | undefined;
  decode: (ids: readonly number[]) => string;
  /** True when the text is changed as a whole after decoding: then nothing can be said before the end. */
  isCleanedUp: boolean;
}>;

/** A stream whose outputs, put together, are exactly what decoding all ids at once gives. */
export function createDecodeStream(source: StreamSource): DecodeStream {
  if (source.isCleanedUp) return createWholeStream(source);
  if (isType(source.decoderJson, 'ByteLevel')) return createByteStream(source);
  return isLocal(source.decoderJson) ? createTokenStream(source) : createWholeStream(source);
}

function createByteStream({ tokenOf }: StreamSource): DecodeStream {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return {
    push: (ids) => {
      const bytes = ids.flatMap((id) => bytesOfToken(tokenOf(id) ?? ''));
      return decoder.decode(Uint8Array.from(bytes), { stream: true });
    },
    finish: () => decoder.decode(),
  };
}

/**
 * Decodes behind an anchor, the last ids that gave text, so that what a decoder does only at the
 * start is not done again. Byte tokens wait until their run ends: only then it is known what they are.
 */
function createTokenStream({ tokenOf, decode }: StreamSource): DecodeStream {
  let anchor: number[] = [];
  let waiting: number[] = [];
  const flush = (): string => {
    const before = decode(anchor);
    const text = decode([...anchor, ...waiting]).slice(before.length);
    const last = waiting.slice(-1);
    anchor = decode(last) === '' ? [...anchor, ...waiting] : last;
    waiting = [];
    return text;
  };
  return {
    push: (ids) => {
      waiting.push(...ids);
      const last = waiting.at(-1);
      const isOpen = last === undefined || fallbackByte(tokenOf(last) ?? '') !== null;
      return isOpen ? '' : flush();
    },
    finish: () => (waiting.length === 0 ? '' : flush()),
  };
}

function createWholeStream({ decode }: StreamSource): DecodeStream {
  let all: number[] = [];
  return {
    push: (ids) => {
      all.push(...ids);
      return '';
    },
    finish: () => {
      const text = decode(all);
      all = [];
      return text;
    },
  };
}

/** True for decoders that treat each token alone, but for the first. */
function isLocal(json: unknown): boolean {
  if (json === null || json === undefined) return true;
  if (!isObject(json)) return false;
  if (json.type === 'Sequence') return components(json.decoders, 'decoder').every(isLocal);
  const check = LOCAL[String(json.type)];
  return check?.(json) ?? false;
}

const LOCAL: Readonly<Record<string, (json: ComponentJson) => boolean>> = {
  ByteFallback: () => true,
  Fuse: () => true,
  Metaspace: () => true,
  Replace: ({ pattern }) =>
    isObject(pattern) && typeof pattern.String === 'string' && [...pattern.String].length === 1,
  Strip: (json) => json.stop === 0,
  WordPiece: () => true,
};

function isType(json: unknown, type: string): boolean {
  return isObject(json) && json.type === type;
}
