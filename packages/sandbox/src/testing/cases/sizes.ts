import { expect } from 'vitest';
import type { Sandbox } from '../../types.ts';
import type { ConformanceCase } from '../conformance-case.ts';
import { digest, generateBytes } from './_bytes.ts';
import { fileCodeOf, okValue, output } from './_run.ts';

const small = [0, 1, 131_071, 131_072] as const;
const large = 64 * 1024 * 1024;

/** The sizes at which transports break: nothing, one byte, the kernel's limit of one argument, and much. */
export const sizeCases: readonly ConformanceCase[] = [
  ...[...small, large].map(
    (size): ConformanceCase => ({
      group: 'sizes',
      name: `${size} bytes go up and come down unchanged`,
      needs: [],
      proves: ['maxUploadBytes'],
      run: ({ sandbox, folder, capabilities }) =>
        roundTrip(sandbox, `${folder}/f`, size, capabilities.maxUploadBytes),
    }),
  ),
  {
    group: 'sizes',
    name: 'a command in the sandbox sees the same 64 MiB',
    needs: ['shell'],
    run: async ({ sandbox, folder }) => {
      okValue(await sandbox.files.write(`${folder}/f`, generateBytes(large)));
      const { sha256 } = await digest(generateBytes(large));
      expect(await output(sandbox, `sha256sum < ${folder}/f`)).toContain(sha256);
    },
  },
  {
    group: 'sizes',
    name: 'under a read-only root the working directory takes every size, and nothing else a byte',
    needs: ['readonlyRoot'],
    run: async ({ open }) => {
      const sandbox = await open({ readonlyRoot: true });
      for (const size of small) await roundTrip(sandbox, `f${size}`, size, null);
      const outside = await sandbox.files.write('/usr/hermes-kit-write', 'x');
      expect(outside.ok).toBe(false);
    },
  },
];

async function roundTrip(
  sandbox: Sandbox,
  path: string,
  size: number,
  maxUploadBytes: number | null,
): Promise<void> {
  const written = await sandbox.files.write(path, generateBytes(size));
  if (maxUploadBytes !== null && size > maxUploadBytes) {
    expect(fileCodeOf(written)).toBe('FILE_TOO_LARGE');
    return;
  }
  okValue(written);
  const down = await digest(okValue(await sandbox.files.readStream(path)));
  expect(down).toEqual(await digest(generateBytes(size)));
  expect(okValue(await sandbox.files.read(path))).toHaveLength(size);
}
