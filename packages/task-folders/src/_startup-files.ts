import { join } from 'node:path';
import { removeTree } from '@hermes/sandbox/host';

/** What programs of the verifier would read, run or import without being told to. */
const STARTUP_FILES = [
  '.bash_login',
  '.bash_profile',
  '.bashrc',
  '.config',
  '.gitconfig',
  '.local',
  '.profile',
];

/** Removes startup files from the copy of a home that is the working directory, too, unless the instruction asks for them. */
export async function removeStartupFiles(
  stage: string,
  home: string,
  instruction: string,
): Promise<void> {
  const unasked = STARTUP_FILES.filter((name) => !instruction.includes(name));
  for (const name of unasked) await removeTree(join(stage, home, name));
}
