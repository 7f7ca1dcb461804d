import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { whenDone } from './_when-done.ts';

/** A fresh folder that is gone when the file's tests are over. */
export async function temporaryFolder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'hermes-task-folders-'));
  // What a hostile answer leaves may lie deeper than one path can name: the command goes down step by step.
  whenDone(() => promisify(execFile)('rm', ['-rf', '--', dir]));
  return dir;
}

const USUAL: Readonly<Record<string, string>> = {
  'task.toml': 'schema_version = "1.3"\n',
  'instruction.md': 'Write hello into out.txt.\n',
  'tests/test.sh': 'echo 1 > "$VERIFIER_DIR/reward.txt"\n',
};

/** A task folder of these files, the usual ones added; null leaves one of those out. */
export async function makeTask(files: Readonly<Record<string, string | null>>): Promise<string> {
  const dir = await temporaryFolder();
  await writeTask(dir, files);
  return dir;
}

/** The same in a folder of that name, which is made. */
export async function writeTask(
  dir: string,
  files: Readonly<Record<string, string | null>>,
): Promise<void> {
  for (const [name, content] of Object.entries({ ...USUAL, ...files })) {
    if (content === null) continue;
    await mkdir(dirname(join(dir, name)), { recursive: true });
    await writeFile(join(dir, name), content);
    await chmod(join(dir, name), name.endsWith('.sh') ? 0o755 : 0o644);
  }
}
