import { z } from 'zod';
import type { Engine } from './engine.ts';
import { ANSWER_MS } from './limited.ts';

/** What the daemon tells of a container. exitCode null: not known. */
export type ContainerEvent = Readonly<
  { id: string; kind: 'oom' } | { id: string; kind: 'end'; exitCode: number | null }
>;

const eventSchema = z.looseObject({
  Action: z.string(),
  Actor: z.looseObject({ ID: z.string(), Attributes: z.record(z.string(), z.string()).optional() }),
});

const FILTERS = JSON.stringify({ type: ['container'], event: ['die', 'oom', 'destroy'] });

/** Resolves when events are coming in: what happens from then on is told. They end with `signal`, or when the connection does. */
export async function openEvents(
  { docker }: Engine,
  signal: AbortSignal,
): Promise<AsyncGenerator<ContainerEvent>> {
  const late = new AbortController();
  const alarm = setTimeout(() => late.abort(new Error('no events within 30 s')), ANSWER_MS);
  try {
    const abortSignal = AbortSignal.any([signal, late.signal]);
    const stream = await docker.getEvents({ filters: FILTERS, abortSignal } as object);
    // It never keeps the process alive by itself.
    (stream as unknown as { socket?: { unref?: () => void } }).socket?.unref?.();
    return readEvents(stream);
  } finally {
    clearTimeout(alarm);
  }
}

async function* readEvents(stream: NodeJS.ReadableStream): AsyncGenerator<ContainerEvent> {
  let rest = '';
  for await (const chunk of stream) {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') yield parseEvent(line);
  }
}

function parseEvent(line: string): ContainerEvent {
  const { Action, Actor } = eventSchema.parse(JSON.parse(line));
  if (Action === 'oom') return { id: Actor.ID, kind: 'oom' };
  const code = Number(Actor.Attributes?.exitCode ?? Number.NaN);
  return { id: Actor.ID, kind: 'end', exitCode: Number.isNaN(code) ? null : code };
}
