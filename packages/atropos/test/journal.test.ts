import { expect, it } from 'vitest';
import { fileJournal } from '../src/store/journal.ts';
import type { LogFile } from '../src/store/log-file.ts';

const fullDisk = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
const neverRewritten = { isDue: () => false, pieces: () => [], onFailure: () => undefined };

/** A file that takes a piece only while there is room. */
function fileWithRoom(room: { bytes: number }): LogFile & { readonly written: string[] } {
  const written: string[] = [];
  return {
    written,
    bytes: 0,
    async append(pieces) {
      const text = Buffer.concat([...pieces]).toString();
      if (text.length > room.bytes) throw fullDisk;
      room.bytes -= text.length;
      written.push(text);
    },
    replace: async () => undefined,
    close: async () => undefined,
  };
}

it('a change that cannot be written is not made, and a later one is', async () => {
  const room = { bytes: 3 };
  const file = fileWithRoom(room);
  const journal = fileJournal(file, neverRewritten);
  const made: string[] = [];
  const change = (text: string) => journal.commit([Buffer.from(text)], () => made.push(text));
  await change('one');
  await expect(change('two')).rejects.toBe(fullDisk);
  room.bytes = 100;
  await change('three');
  expect(made).toEqual(['one', 'three']);
  expect(file.written).toEqual(['one', 'three']);
});

it('changes that come at once are written together and made in their order', async () => {
  const file = fileWithRoom({ bytes: 100 });
  const journal = fileJournal(file, neverRewritten);
  const made: number[] = [];
  const numbers = [1, 2, 3, 4];
  await Promise.all(
    numbers.map((number) => journal.commit([Buffer.from(`${number}`)], () => made.push(number))),
  );
  expect(made).toEqual(numbers);
  expect(file.written).toEqual(['1', '234']);
});

it('a log that cannot be rewritten goes on as it is, and says so', async () => {
  const failures: unknown[] = [];
  const file = { ...fileWithRoom({ bytes: 100 }), replace: () => Promise.reject(fullDisk) };
  const journal = fileJournal(file, {
    isDue: () => true,
    pieces: () => [],
    onFailure: (error) => failures.push(error),
  });
  await journal.commit([Buffer.from('a')], () => undefined);
  await journal.commit([Buffer.from('b')], () => undefined);
  await journal.close();
  expect(failures).toEqual([fullDisk, fullDisk]);
});
