import type { Logger } from '@hermes/protocol';
import { HermesError } from '@hermes/protocol';

/** Whether groups of a size can make the trainer's batches. Throws CONFIG where one is larger than a batch; says so where only other environments could fill up the rest. */
export function checkFit(size: number, batchSize: number, logger: Logger): void {
  if (batchSize < size) throw tooLarge(size, batchSize);
  if (batchSize % size === 0) return;
  const fitting = Array.from({ length: batchSize }, (_, index) => index + 1)
    .filter((one) => batchSize % one === 0)
    .join(', ');
  const message = `Groups of ${size} alone never fill a batch of ${batchSize}, and the trainer waits for ever: choose a group size of ${fitting}, or another batch`;
  logger.log('warn', message);
}

function tooLarge(size: number, batchSize: number): HermesError {
  const message = `A group of ${size} is larger than the trainer's batch of ${batchSize}: choose a smaller group size`;
  return new HermesError('config', 'CONFIG', message);
}
