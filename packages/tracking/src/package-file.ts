import { fileURLToPath } from 'node:url';

/** A file that is shipped beside `src` and `dist`. */
export function packageFile(path: string): string {
  return fileURLToPath(new URL(`../${path}`, import.meta.url));
}
