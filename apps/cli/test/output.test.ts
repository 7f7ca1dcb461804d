import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { exitCodes } from '../src/index.ts';
import { hermes as hermesHere, inFolder } from './_run.ts';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const loader = import.meta.resolve('tsx');
const command = `'${process.execPath}' --conditions=@hermes/source --import '${loader}' '${main}'`;
const smoke = 'evaluate smoke --model noop --sandbox host --limit 2 --run-dir run';

/** Runs a line of bash in which `hermes` is the command; the code is that of the line's end. */
async function bash(line: string, cwd: string): Promise<{ code: number | null; output: string }> {
  const child = spawn('bash', ['-c', `hermes() { ${command} "$@"; }; ${line}`], { cwd });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, output };
}

describe('output that cannot be written', () => {
  it('does not end the run when its reader goes away', () =>
    inFolder(async (folder) => {
      const ended = await bash(
        `hermes ${smoke} --json | head -n 1; exit \${PIPESTATUS[0]}`,
        folder,
      );
      expect(ended.output).not.toContain('EPIPE');
      expect(ended.code).toBe(exitCodes.ran);
      const summary = JSON.parse(await readFile(join(folder, 'run/summary.json'), 'utf8'));
      expect(summary).toMatchObject({ total: 2, failed: 2 });
    }));

  it('on a full device is one message and exit code 1, and the run is kept', () =>
    inFolder(async (folder) => {
      const ended = await bash(`hermes ${smoke} > /dev/full`, folder);
      expect(ended.output).toMatch(/hermes: stdout cannot be written: ENOSPC/);
      expect(ended.output).not.toMatch(/\n\s+at /);
      expect(ended.code).toBe(exitCodes.runFailed);
      const summary = JSON.parse(await readFile(join(folder, 'run/summary.json'), 'utf8'));
      expect(summary).toMatchObject({ total: 2, failed: 2 });
    }));

  it('on stderr leaves the run alone', () =>
    inFolder(async (folder) => {
      const ended = await bash(`hermes ${smoke} 2> /dev/full`, folder);
      expect(ended.output).toContain('2 failed');
      expect(ended.code).toBe(exitCodes.ran);
    }));
});

it('a current folder that is gone is wrong usage, in one line', async () => {
  vi.spyOn(process, 'cwd').mockImplementation(() => {
    throw new Error('ENOENT: uv_cwd');
  });
  const ended = await hermesHere(['environments']);
  vi.restoreAllMocks();
  expect(ended.stderr).toMatch(/^hermes: the current folder is gone.*\n$/);
  expect(ended.code).toBe(exitCodes.wrongUsage);
});
