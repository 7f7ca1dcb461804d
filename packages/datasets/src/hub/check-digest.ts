import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { DatasetError } from '../dataset-error.ts';
import type { HubContext } from './hub-context.ts';
import { describe, type HubSubject } from './hub-errors.ts';

/** What a whole file must be. */
export type Expected = Readonly<{ digest: string; size: number }>;

/** A file with the wrong digest is removed: it must not be gone on with. */
export async function checkDigest(
  context: HubContext,
  subject: HubSubject,
  partial: string,
  expected: Expected,
): Promise<void> {
  const hash = startHash(expected);
  for await (const chunk of createReadStream(partial)) hash.update(chunk);
  if (hash.digest('hex') === expected.digest) return;
  await rm(partial, { force: true });
  throw wrongFile(context, subject);
}

/** Large files are named by their SHA-256, others by git's own digest. */
function startHash(expected: Expected): Hash {
  if (expected.digest.length === 64) return createHash('sha256');
  return createHash('sha1').update(`blob ${expected.size}\0`);
}

/** The hub promised another file than it sent. */
export function wrongFile(context: HubContext, subject: HubSubject): DatasetError {
  return new DatasetError(
    'HUB',
    `${context.endpoint} sent another file for ${describe(subject)} than it lists; try again later`,
    { retryable: true },
  );
}
