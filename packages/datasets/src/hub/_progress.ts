import type { HubContext } from './hub-context.ts';
import { describe, type HubSubject } from './hub-errors.ts';

const EVERY_MS = 5_000;

/** Tells the logger of a download: when it begins, every few seconds, and when it is whole. */
export function createProgress(
  context: HubContext,
  subject: HubSubject,
  total: number,
): (bytes: number) => void {
  const tell = (bytes: number): void => {
    const message = `downloading ${describe(subject)}: ${bytes} of ${total} bytes`;
    context.logger.log('info', message, { bytes, total });
  };
  let toldMs = Number.NEGATIVE_INFINITY;
  return (bytes) => {
    const { monoMs } = context.clock.now();
    if (monoMs - toldMs < EVERY_MS && bytes < total) return;
    toldMs = monoMs;
    tell(bytes);
  };
}
