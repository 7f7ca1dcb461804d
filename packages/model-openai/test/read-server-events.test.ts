import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readServerEvents } from '../src/read-server-events.ts';

async function* inPieces(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  let from = 0;
  for (const cut of [...cuts].sort((one, other) => one - other)) {
    yield bytes.subarray(from, cut);
    from = cut;
  }
  yield bytes.subarray(from);
}

async function read(text: string, cuts: readonly number[] = []): Promise<readonly string[]> {
  const events: string[] = [];
  const bytes = new TextEncoder().encode(text);
  for await (const data of readServerEvents(inPieces(bytes, cuts))) events.push(data);
  return events;
}

it.each([
  ['events one after another', 'data: a\n\ndata: b\n\n', ['a', 'b']],
  ['no blank after the colon', 'data:a\n\n', ['a']],
  ['line ends of Windows', 'data: a\r\n\r\ndata: b\r\n\r\n', ['a', 'b']],
  ['line ends of old', 'data: a\r\rdata: b\r\r', ['a', 'b']],
  ['comments that keep the connection alive', ': PROCESSING\n\ndata: a\n\n', ['a']],
  ['names and ids beside the data', 'event: x\nid: 1\ndata: a\nretry: 5\n\n', ['a']],
  ['data on several lines', 'data: {\ndata: }\n\n', ['{\n}']],
  ['a last event without its empty line', 'data: a\n\ndata: [DONE]', ['a', '[DONE]']],
  ['a last event that was cut', 'data: a\n\ndata: {"choices": [', ['a']],
  ['a last event that is whole but for its line end', 'data: {"choices": []}', ['{"choices": []}']],
  ['nothing', '', []],
])('reads %s', async (_what, text, expected) => {
  expect(await read(text)).toEqual(expected);
});

it('reads the same however the network cuts the bytes', async () => {
  const text = 'data: {"a": "héé 🙂"}\r\n\r\n: ping\n\ndata: two\ndata: lines\n\ndata: [DONE]\n\n';
  const length = new TextEncoder().encode(text).length;
  const whole = await read(text);
  expect(whole).toEqual(['{"a": "héé 🙂"}', 'two\nlines', '[DONE]']);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: length })), async (cuts) => {
      expect(await read(text, cuts)).toEqual(whole);
    }),
  );
});

it('takes time in proportion to a line, however many pieces it comes in', async () => {
  const piece = 'x'.repeat(4096);
  const text = `data: ${piece.repeat(4096)}\r\n\r\n`;
  const cuts = Array.from({ length: 4096 }, (_, index) => index * 4096);
  expect(await read(text, cuts)).toEqual([piece.repeat(4096)]);
});
