import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Fills a file that may have 4 KiB and no more: the write that reaches the end is cut in the middle, as on a full disk. */
export async function fillSmallDisk(
  kind: 'jsonl' | 'tensorboard',
  place: string,
): Promise<Readonly<{ written: number; failures: readonly string[] }>> {
  const script = fileURLToPath(new URL('_fill-disk.ts', import.meta.url));
  const node = [
    process.execPath,
    '--conditions=@hermes/source',
    '--import',
    import.meta.resolve('tsx'),
  ];
  const limited = `trap '' XFSZ; ulimit -f 8; exec "$@"`;
  const args = ['-c', limited, 'sh', ...node, script, kind, place];
  const run = promisify(execFile)('/bin/sh', args, { timeout: 60_000 });
  return JSON.parse((await run).stdout);
}
