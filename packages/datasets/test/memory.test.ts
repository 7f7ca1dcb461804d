import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createGzip } from 'node:zlib';
import { expect, it } from 'vitest';
import { temporaryFolder } from './_helpers.ts';

const ROWS = 100_000;

function* lines(header: string, line: string): Generator<string> {
  yield header;
  for (let batch = 0; batch < ROWS / 1000; batch += 1) yield line.repeat(1000);
}

it.each([
  ['rows.jsonl.gz', '', `{"text":"${'x'.repeat(1000)}"}\n`],
  ['rows.csv.gz', 'text\n', `${'x'.repeat(1000)}\n`],
])(
  'reads 100 MB of %s in a small part of that memory',
  async (name, header, line) => {
    const path = join(await temporaryFolder(), name);
    const source = Readable.from(lines(header, line));
    await pipeline(source, createGzip({ level: 1 }), createWriteStream(path));
    const script = fileURLToPath(new URL('_memory.ts', import.meta.url));
    const flags = ['--conditions=@hermes/source', '--import', 'tsx', script, path];
    const { stdout } = await promisify(execFile)(process.execPath, flags);
    const { rows, tookMib } = JSON.parse(stdout);
    expect(rows).toBe(ROWS);
    expect(tookMib).toBeLessThan(70);
  },
  60_000,
);
