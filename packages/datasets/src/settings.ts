import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { DatasetOptions } from './types.ts';

/** The variables that Python's `huggingface_hub` reads, too. */
export type DatasetEnvironment = Readonly<Record<string, string | undefined>>;

/**
 * The options that a process environment asks for: `HF_HUB_CACHE`, `HUGGINGFACE_HUB_CACHE`,
 * `HF_HOME`, `XDG_CACHE_HOME`, `HF_TOKEN` or the token file of a login, `HF_ENDPOINT`,
 * `HF_HUB_OFFLINE`.
 */
export async function datasetSettings(environment: DatasetEnvironment): Promise<DatasetOptions> {
  const home = hubHome(environment);
  const token = environment.HF_TOKEN || (await readToken(environment, home));
  return {
    cacheDir: environment.HF_HUB_CACHE || environment.HUGGINGFACE_HUB_CACHE || join(home, 'hub'),
    offline: isTrue(environment.HF_HUB_OFFLINE),
    ...(token && { token: token.trim() }),
    ...(environment.HF_ENDPOINT && { endpoint: environment.HF_ENDPOINT }),
  };
}

function hubHome(environment: DatasetEnvironment): string {
  if (environment.HF_HOME) return expandHome(environment.HF_HOME);
  const caches = environment.XDG_CACHE_HOME || join(homedir(), '.cache');
  return join(expandHome(caches), 'huggingface');
}

/** A login is a file; most machines have none. */
async function readToken(environment: DatasetEnvironment, home: string): Promise<string> {
  return readFile(environment.HF_TOKEN_PATH || join(home, 'token'), 'utf8').catch(() => '');
}

function isTrue(value: string | undefined): boolean {
  return ['1', 'ON', 'YES', 'TRUE'].includes((value ?? '').toUpperCase());
}

function expandHome(path: string): string {
  return path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path;
}
