import type { ProgressLine } from './progress-stream.ts';

const TRACE = 'moby.buildkit.trace';

/** Numbers of fields in BuildKit's status message: steps and log lines, and the one text of each that people read. */
const TEXT_OF_FIELD: Readonly<Record<number, number>> = { 1: 3, 3: 4 };
const STEP = 1;

const BYTES = 2;
const FIXED_BYTES: Readonly<Record<number, number>> = { 1: 8, 5: 4 };

/**
 * What BuildKit says in a line of its progress, which holds a binary message: names of steps, and what they print. A step is told
 * again whenever it gets on; `told` are those that were.
 */
export function traceText({ id, aux }: ProgressLine, told: Set<string>): string {
  if (id !== TRACE || typeof aux !== 'string') return '';
  const texts: string[] = [];
  for (const [field, message] of fieldsOf(Buffer.from(aux, 'base64'))) {
    const wanted = TEXT_OF_FIELD[field];
    for (const [inner, bytes] of wanted === undefined ? [] : fieldsOf(message)) {
      const text = bytes.toString('utf8');
      if (inner !== wanted || (field === STEP && told.has(text))) continue;
      if (field === STEP) told.add(text);
      texts.push(text);
    }
  }
  return texts.map((text) => (text.endsWith('\n') ? text : `${text}\n`)).join('');
}

/** The fields of a protocol buffer that hold bytes, by number. The rest is passed over. */
function* fieldsOf(buffer: Buffer): Generator<readonly [field: number, bytes: Buffer]> {
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let scale = 1; at < buffer.length; scale *= 128) {
      const byte = buffer[at] ?? 0;
      at += 1;
      value += (byte & 127) * scale;
      if (byte < 128) break;
    }
    return value;
  };
  while (at < buffer.length) {
    const key = varint();
    const kind = key & 7;
    if (kind === 0) varint();
    else if (kind !== BYTES) at += FIXED_BYTES[kind] ?? buffer.length;
    else {
      const length = varint();
      yield [Math.floor(key / 8), buffer.subarray(at, at + length)];
      at += length;
    }
  }
}
