import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stopped, unreadable } from './_read-errors.ts';

/** `sha256:` and the digest of a file's bytes. */
export async function digestFile(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(path)) {
      if (signal.aborted) throw stopped(`reading ${path}`, signal);
      hash.update(chunk);
    }
  } catch (error) {
    throw unreadable(path, error);
  }
  return `sha256:${hash.digest('hex')}`;
}

/** One digest of several, their names and their order. */
export function digestList(entries: readonly (readonly [name: string, digest: string])[]): string {
  return `sha256:${createHash('sha256').update(JSON.stringify(entries)).digest('hex')}`;
}
