import { listFiles } from './_digest.ts';
import { readTextOrNull } from './_read-text.ts';

const SCRIPT = /\.(?:sh|bash|py|pl|rb|js)$/;

/** The texts of the scripts in `tests` or `solution`, without whole-line comments; none where the folder has no entry script. */
export async function readScripts(dir: string, folder: 'tests' | 'solution'): Promise<string[]> {
  const entry = folder === 'tests' ? 'test.sh' : 'solve.sh';
  if ((await readTextOrNull(dir, `${folder}/${entry}`)) === null) return [];
  const paths = (await listFiles(dir, folder)).map((file) => file.path);
  const texts = await Promise.all(
    paths.filter((path) => SCRIPT.test(path)).map((path) => readTextOrNull(dir, path)),
  );
  return texts.flatMap((text) => (text === null ? [] : [text.replace(/^\s*#.*$/gm, '')]));
}
