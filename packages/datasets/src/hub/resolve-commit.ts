import { readFile } from 'node:fs/promises';
import { datasetInfo } from '@huggingface/hub';
import { DatasetError } from '../dataset-error.ts';
import { cacheLayout } from './cache-layout.ts';
import { checkCommit, isCommit } from './check-names.ts';
import type { HubContext } from './hub-context.ts';
import { describe, type HubSubject } from './hub-errors.ts';
import { libraryFetch } from './library-fetch.ts';
import { placeText } from './write-file.ts';

/** The commit of a branch or tag, asked of the hub and noted in the cache, or read there when offline. */
export async function resolveCommit(context: HubContext, subject: HubSubject): Promise<string> {
  if (isCommit(subject.revision)) return subject.revision;
  const ref = cacheLayout(context.cacheDir, subject.id).ref(subject.revision);
  if (context.offline) return readRef(subject, ref);
  const info = await datasetInfo({
    name: subject.id,
    revision: subject.revision,
    hubUrl: context.endpoint,
    fetch: libraryFetch(context, subject),
    additionalFields: ['sha'],
  });
  const commit = checkCommit(subject.id, info.sha);
  await placeText(ref, commit);
  return commit;
}

async function readRef(subject: HubSubject, ref: string): Promise<string> {
  const text = await readFile(ref, 'utf8').catch((cause) => {
    throw notCached(subject, ref, cause);
  });
  return checkCommit(subject.id, text.trim());
}

/** Something that offline mode would have to download. */
export function notCached(subject: HubSubject, path: string, cause?: unknown): DatasetError {
  return new DatasetError(
    'OFFLINE',
    `${describe(subject)} is not in the cache (there is no ${path}); run once without offline mode`,
    { cause },
  );
}
