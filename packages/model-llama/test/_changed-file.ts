import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file with one text in it replaced by another of the same length. */
export async function withChangedFile(
  path: string,
  from: string,
  to: string,
  use: (path: string) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'hermes-gguf-'));
  try {
    const bytes = (await readFile(path)).toString('latin1').replace(from, to);
    const changed = join(folder, 'changed.gguf');
    await writeFile(changed, Buffer.from(bytes, 'latin1'));
    await use(changed);
  } finally {
    await rm(folder, { recursive: true });
  }
}
