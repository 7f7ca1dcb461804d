import { homedir } from 'node:os';
import { join } from 'node:path';

/** The hub's cache that a process environment asks for, as Python's `huggingface_hub` reads it. */
export function tokenizerSettings(
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<{ cacheDir: string }> {
  const caches = environment.XDG_CACHE_HOME || join(homedir(), '.cache');
  const home = environment.HF_HOME || join(caches, 'huggingface');
  const cacheDir =
    environment.HF_HUB_CACHE || environment.HUGGINGFACE_HUB_CACHE || join(home, 'hub');
  return { cacheDir: expandHome(cacheDir) };
}

function expandHome(path: string): string {
  return path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path;
}
