import { type FileHandle, mkdir, open, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { HermesError } from '@hermes/protocol';
import { stopped } from '../_read-errors.ts';
import { createProgress } from './_progress.ts';
import { checkDigest, type Expected, wrongFile } from './check-digest.ts';
import type { HubContext } from './hub-context.ts';
import { describe, type HubSubject, hubConnectionError } from './hub-errors.ts';
import { ATTEMPTS, type OpenAnswer, requestHub, waitBefore } from './hub-request.ts';
import { readBody } from './read-body.ts';

/**
 * Writes a file of the hub to `partial`; resolves once size and digest are right. Goes on from what an earlier try, or an earlier process, left there.
 */
export async function downloadBlob(
  context: HubContext,
  subject: HubSubject,
  partial: string,
  expected: Expected,
): Promise<void> {
  await mkdir(dirname(partial), { recursive: true });
  let had = await sizeOf(partial);
  for (let attempt = 1; ; attempt += 1) {
    const error = await tryOnce(context, subject, partial, expected);
    if (error === null) return;
    const has = await sizeOf(partial);
    // a try that brought the file forward is none that failed for nothing
    if (has > had) attempt = 1;
    if (attempt === ATTEMPTS) throw error;
    had = has;
    await waitBefore(context, subject, attempt, { error, retryAfterMs: null });
  }
}

/** null = the file is whole. */
async function tryOnce(
  context: HubContext,
  subject: HubSubject,
  partial: string,
  expected: Expected,
): Promise<HermesError | null> {
  try {
    if ((await sizeOf(partial)) > expected.size) await rm(partial);
    const from = await sizeOf(partial);
    if (from < expected.size) await append(context, subject, partial, expected, from);
    await checkDigest(context, subject, partial, expected);
    return null;
  } catch (error) {
    if (context.signal.aborted) throw stopped(`downloading ${describe(subject)}`, context.signal);
    if (!HermesError.isInstance(error)) throw error;
    if (!error.retryable) throw error;
    return error;
  }
}

async function append(
  context: HubContext,
  subject: HubSubject,
  partial: string,
  expected: Expected,
  from: number,
): Promise<void> {
  const answer = await requestHub(context, {
    subject,
    url: fileUrl(context, subject),
    headers: rangeHeaders(from),
    take: async (open) => open,
  });
  // a server that knows no ranges sends the file from its start
  const start = answer.response.status === 206 ? from : 0;
  const file = await open(partial, start === 0 ? 'w' : 'a');
  try {
    await pour(context, subject, answer, file, { start, size: expected.size });
    await file.sync();
  } finally {
    answer.request.abort();
    await file.close();
  }
}

function rangeHeaders(from: number): Headers {
  const headers = new Headers({ 'accept-encoding': 'identity' });
  if (from > 0) headers.set('range', `bytes=${from}-`);
  return headers;
}

function fileUrl(context: HubContext, subject: HubSubject): string {
  const path = (subject.path ?? '').split('/').map(encodeURIComponent).join('/');
  return `${context.endpoint}/datasets/${subject.id}/resolve/${subject.revision}/${path}`;
}

/** Bodies of the hub into the file; never more than the file shall have. */
async function pour(
  context: HubContext,
  subject: HubSubject,
  answer: OpenAnswer,
  file: FileHandle,
  range: Readonly<{ start: number; size: number }>,
): Promise<void> {
  const progress = createProgress(context, subject, range.size);
  let written = range.start;
  for await (const chunk of readBody(context, subject, answer)) {
    written += chunk.length;
    if (written > range.size) throw wrongFile(context, subject);
    await file.writeFile(chunk);
    progress(written);
  }
  if (written < range.size) {
    throw hubConnectionError(context, subject, `the file ended at ${written} of ${range.size}`);
  }
}

/** 0 = nothing is there. */
async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    (info) => info.size,
    () => 0,
  );
}
