import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { isExpected } from '@hermes/vitest-config/services';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from './_provider.ts';

const CARRIER = fileURLToPath(new URL('./_carrier.ts', import.meta.url));
const MIB = 1024 ** 2;
const FILES = 4;
const FILE_BYTES = 32 * MIB;

describe.runIf(isExpected('sshd'))('a tree that is carried to a host and back', () => {
  it('is held in memory piece by piece, however large it is', { timeout: 120_000 }, async () => {
    const folder = await temporaryFolder();
    const flags = ['--expose-gc', '--conditions=@hermes/source', '--import', 'tsx', CARRIER];
    const words = [...flags, folder, String(FILES), String(FILE_BYTES)];
    const { stdout } = await promisify(execFile)(process.execPath, words);
    const { ok, mostBytes } = JSON.parse(stdout) as { ok: boolean; mostBytes: number };
    expect(ok).toBe(true);
    expect((await stat(`${folder}/out/${FILES - 1}`)).size).toBe(FILE_BYTES);
    expect(mostBytes).toBeGreaterThan(0);
    expect(mostBytes).toBeLessThan((FILES * FILE_BYTES * 2) / 3);
  });
});
