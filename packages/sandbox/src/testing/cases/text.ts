import { expect } from 'vitest';
import type { ConformanceCase } from '../conformance-case.ts';
import { bytesOf, sh } from './_run.ts';

/** Text is a view of bytes: characters may be cut anywhere on the way. */
export const textCases: readonly ConformanceCase[] = [
  {
    group: 'text',
    name: 'a character written in two halves with a pause is one character',
    needs: ['shell'],
    run: async ({ sandbox }) => {
      const result = await sh(sandbox, `printf '\\342\\202'; sleep 0.3; printf '\\254'`);
      expect(result.stdout.text()).toBe('€');
    },
  },
  {
    group: 'text',
    name: 'a program that ends within a character leaves one replacement character',
    needs: ['shell'],
    run: async ({ sandbox }) => {
      const result = await sh(sandbox, `printf 'a\\342\\202'`);
      expect(result.stdout.text()).toBe('a\uFFFD');
      expect(bytesOf(result.stdout.bytes)).toEqual(Uint8Array.of(0x61, 0xe2, 0x82));
    },
  },
  {
    group: 'text',
    name: 'halves of a character on two streams do not mix',
    needs: ['shell'],
    run: async ({ sandbox }) => {
      const script = `printf '\\342\\202'; printf 'x' >&2; sleep 0.1; printf '\\254'; printf 'y' >&2`;
      const result = await sh(sandbox, script);
      expect([result.stdout.text(), result.stderr.text()]).toEqual(['€', 'xy']);
    },
  },
];
