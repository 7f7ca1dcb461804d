import { afterAll } from 'vitest';

const works: (() => Promise<unknown>)[] = [];

/** Runs after all tests of the file, last registered first; sandboxes and folders are shared that long. */
export function whenDone(work: () => Promise<unknown>): void {
  works.push(work);
}

afterAll(async () => {
  for (const work of works.reverse()) await work();
});
