import { expect } from 'vitest';
import type { ConformanceCase } from '../conformance-case.ts';
import { collect } from '../open-kit.ts';
import { bytesOf, decode, fileCodeOf, okValue, utf8 } from './_run.ts';

const everyByte = Uint8Array.from({ length: 1024 }, (_, index) => index % 256);

/** Contents and names: what was written is what is read. */
export const fileCases: readonly ConformanceCase[] = [
  {
    group: 'files',
    name: 'a text file reads as it was written, and a later call still finds it',
    needs: ['persistentFs'],
    run: async ({ sandbox, folder }) => {
      okValue(await sandbox.files.write(`${folder}/a.txt`, 'grüße\r\n€ 😀\n'));
      expect(decode(okValue(await sandbox.files.read(`${folder}/a.txt`)))).toBe('grüße\r\n€ 😀\n');
    },
  },
  {
    group: 'files',
    name: 'every byte value survives',
    needs: ['binary'],
    run: async ({ sandbox, folder }) => {
      okValue(await sandbox.files.write(`${folder}/all.bin`, everyByte));
      expect(bytesOf(okValue(await sandbox.files.read(`${folder}/all.bin`)))).toEqual(everyByte);
    },
  },
  {
    group: 'files',
    name: 'an empty file is a file',
    needs: [],
    run: async ({ sandbox, folder }) => {
      okValue(await sandbox.files.write(`${folder}/empty`, ''));
      expect(okValue(await sandbox.files.read(`${folder}/empty`))).toHaveLength(0);
      expect(okValue(await sandbox.files.stat(`${folder}/empty`)).type).toBe('file');
    },
  },
  {
    group: 'files',
    name: 'names may hold spaces, quotes, other alphabets, a leading dash and a dollar',
    needs: [],
    run: async ({ sandbox, folder }) => {
      const names = ['a b  c', `it's "so"`, 'Ünïcödé 文件 😀', '-rf', '$HOME;*?[x]\\'];
      for (const name of names) okValue(await sandbox.files.write(`${folder}/${name}`, name));
      for (const name of names) {
        expect(decode(okValue(await sandbox.files.read(`${folder}/${name}`)))).toBe(name);
      }
      const listed = okValue(await sandbox.files.list(folder)).map(({ path }) => baseName(path));
      expect(listed.sort()).toEqual([...names].sort());
    },
  },
  {
    group: 'files',
    name: 'writing again leaves nothing of the longer old content',
    needs: [],
    run: async ({ sandbox, folder }) => {
      okValue(await sandbox.files.write(`${folder}/f`, 'x'.repeat(10_000)));
      okValue(await sandbox.files.write(`${folder}/f`, 'new'));
      expect(decode(okValue(await sandbox.files.read(`${folder}/f`)))).toBe('new');
    },
  },
  {
    group: 'files',
    name: 'a reader never sees half a write',
    needs: [],
    run: async ({ sandbox, folder }) => {
      const path = `${folder}/atomic`;
      const size = 200_000;
      okValue(await sandbox.files.write(path, 'a'.repeat(size)));
      const write = async (): Promise<void> => {
        for (const letter of 'bcdefg')
          okValue(await sandbox.files.write(path, letter.repeat(size)));
      };
      const read = async (): Promise<void> => {
        const seen = okValue(await sandbox.files.read(path));
        expect([seen.length, new Set(seen).size]).toEqual([size, 1]);
      };
      await Promise.all([write(), ...Array.from({ length: 10 }, read)]);
    },
  },
  {
    group: 'files',
    name: 'writing makes the parent folders',
    needs: [],
    run: async ({ sandbox, folder }) => {
      okValue(await sandbox.files.write(`${folder}/x/y/z/f`, '1'));
      expect(okValue(await sandbox.files.stat(`${folder}/x/y`)).type).toBe('directory');
    },
  },
  {
    group: 'files',
    name: 'a stream can be written and read',
    needs: [],
    run: async ({ sandbox, folder }) => {
      okValue(await sandbox.files.write(`${folder}/s`, chunks('one ', 'two ', 'three')));
      const read = await collect(okValue(await sandbox.files.readStream(`${folder}/s`)));
      expect(decode(new Uint8Array(Buffer.concat(read)))).toBe('one two three');
    },
  },
  {
    group: 'files',
    name: 'relative names start at the working directory',
    needs: [],
    run: async ({ sandbox, folder }) => {
      okValue(await sandbox.files.write(`${folder}/here`, 'yes'));
      const absolute = `${sandbox.info.workdir}/${folder}/here`;
      expect(decode(okValue(await sandbox.files.read(absolute)))).toBe('yes');
    },
  },
  {
    group: 'files',
    name: 'a read limit refuses the larger file and lets the exact size pass',
    needs: [],
    run: async ({ sandbox, folder }) => {
      okValue(await sandbox.files.write(`${folder}/ten`, '0123456789'));
      const short = await sandbox.files.read(`${folder}/ten`, { maxBytes: 9 });
      expect(fileCodeOf(short)).toBe('FILE_TOO_LARGE');
      const exact = await sandbox.files.read(`${folder}/ten`, { maxBytes: 10 });
      expect(okValue(exact)).toHaveLength(10);
    },
  },
];

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

async function* chunks(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield utf8(text);
}
