import { join } from 'node:path';
import type { Sizes } from './trainer-side.ts';

/** A Python with atroposlib. */
export const python: string = process.env.HERMES_TEST_PYTHON ?? 'python3';

/** Where the run is kept. */
export function runDirectory(folder: string): string {
  return join(folder, 'run');
}

/** `hermes serve`, begun or gone on with. */
export function serveArgv(folder: string, baseUrl: string, { group }: Sizes): readonly string[] {
  return [
    ...['serve', 'sums', '--model', 'scripted', '--trainer-url', baseUrl, '--eval-every', '0'],
    ...['--group-size', String(group), '--concurrency', '32', '--max-tries', '1', '--json'],
    ...['--run-dir', runDirectory(folder), '--resume'],
  ];
}
