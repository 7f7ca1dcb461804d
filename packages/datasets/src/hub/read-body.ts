import type { HubContext } from './hub-context.ts';
import { type HubSubject, hubConnectionError } from './hub-errors.ts';
import { type OpenAnswer, withDeadline } from './hub-request.ts';

/** A body that is silent for so long is lost. */
const STALL_MS = 60_000;

/** The body of an answer in pieces; a cut and a stall are `CONNECTION`. */
export async function* readBody(
  context: HubContext,
  subject: HubSubject,
  answer: OpenAnswer,
): AsyncGenerator<Uint8Array> {
  const reader = answer.response.body?.getReader();
  for (;;) {
    const { value } = await read(context, subject, answer, reader);
    if (value === undefined) return;
    yield value;
  }
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

async function read(
  context: HubContext,
  subject: HubSubject,
  answer: OpenAnswer,
  reader: Reader | undefined,
): Promise<{ value?: Uint8Array | undefined }> {
  try {
    return (
      (await withDeadline(context, STALL_MS, answer.request, async () => reader?.read())) ?? {}
    );
  } catch (error) {
    throw hubConnectionError(context, subject, error);
  }
}
