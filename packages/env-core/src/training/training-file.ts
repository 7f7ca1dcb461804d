import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname, extname, resolve } from 'node:path';
import { HermesError } from '@hermes/protocol';
import { type LineWriter, openLineWriter } from '../_jsonl-file.ts';
import { makeFolder } from '../_make-folder.ts';
import type { FinishedGroup } from '../process-rules.ts';
import { readExisting } from './_existing-lines.ts';
import { type LineKind, linesOf, refuseOtherKind } from './_line-kind.ts';
import { createLineMemory, type LineMemory } from './_line-memory.ts';
import { withOutputErrors } from './_output-error.ts';
import { pathWith, type Split, splitPaths } from './_split-paths.ts';
import { trainingPage } from './_training-page.ts';
import { type TrainingFormat, type TrainingLines, textOf } from './training-format.ts';

/** How a training file is written. */
export type TrainingFileOptions = Readonly<{
  /** Default `messages`. */
  format?: TrainingFormat;
  /** Default `trajectories`. */
  lines?: TrainingLines;
  /** Append to what is there. Default: false, and a file that is there is left alone; the new one is called `out_1.jsonl`. */
  resume?: boolean;
  /** Leave out lines whose conversation or tokens the file has already. Default false. */
  dedupe?: boolean;
  /** One file a part, each item in exactly one of them. Default: one file. */
  split?: Split;
  /** Write an HTML page beside the file when it is closed. Default true. */
  page?: boolean;
}>;

/** Lines of this file: found there when it was opened, added since, and left out as duplicates. */
export type TrainingFileCounts = Readonly<{ found: number; written: number; duplicates: number }>;

/** A file of training data, open for writing. */
export interface TrainingFile {
  /** The files that are written: one, or one a part. */
  readonly paths: readonly string[];
  /** The HTML page; null: none was asked for. */
  readonly page: string | null;
  /** Appends the lines of a group, on disk when it resolves. A line whose id is there already is not written again. Give it to `processRollouts`. */
  write(group: FinishedGroup): Promise<void>;
  counts(): TrainingFileCounts;
  /** Ends the file and writes the page. */
  close(): Promise<void>;
}

/**
 * Opens a file for what `processRollouts` finishes. Throws a HermesError: CONFIG for options that do not
 * fit together, TRAINING_FILE for a file that holds something else or cannot be written, DISK_FULL;
 * NO_TOKENS from `write` where the format needs tokens and the model has none.
 */
export async function openTrainingFile(
  path: string,
  options: TrainingFileOptions = {},
): Promise<TrainingFile> {
  refuseWrongOptions(options);
  const base = options.resume ? path : await freeTrainingPath(path, options);
  const split = splitPaths(base, options.split);
  const memory = createLineMemory(options.dedupe ?? false);
  const writers = await openWriters(split.paths, memory, options);
  const page = options.page === false ? null : `${withoutEnding(base)}.html`;
  let closing: Promise<void> | null = null;
  const close = async () => {
    for (const writer of writers.values()) await writer.close();
    if (page !== null)
      await withOutputErrors('environment', page, () => writePage(page, split.paths));
  };
  return {
    paths: split.paths,
    page,
    counts: memory.counts,
    write: async (group) => {
      const path = split.pathOf(group.itemId);
      const lines = linesOf(group, options).filter(memory.admit);
      const appended = lines.map((line) => writers.get(path)?.appendText(textOf(line)));
      await withOutputErrors('environment', path, () => Promise.all(appended));
    },
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

/** Each file is opened with what an earlier process wrote into it. */
async function openWriters(
  paths: readonly string[],
  memory: LineMemory,
  kind: LineKind,
): Promise<ReadonlyMap<string, LineWriter>> {
  const writers = new Map<string, LineWriter>();
  const openOne = async (path: string) => {
    await makeFolder(dirname(resolve(path)));
    await readExisting(path, (line) => {
      refuseOtherKind(path, line, kind);
      memory.found(line);
    });
    writers.set(path, await openLineWriter(path, { sync: true }));
  };
  try {
    for (const path of paths) await withOutputErrors('data', path, () => openOne(path));
    return writers;
  } catch (error) {
    for (const writer of writers.values()) await writer.close();
    throw error;
  }
}

function refuseWrongOptions({ format, lines }: TrainingFileOptions): void {
  if (lines !== 'groups' || format !== 'sharegpt') return;
  const message =
    'Lines of groups have the format messages or tokens; sharegpt has one trajectory a line';
  throw new HermesError('config', 'CONFIG', message);
}

/** The path itself, or the first of `out_1.jsonl`, `out_2.jsonl` and so on of which nothing is there: no file, and with a split none of its parts. */
export async function freeTrainingPath(
  path: string,
  { split }: Pick<TrainingFileOptions, 'split'> = {},
): Promise<string> {
  for (let number = 0; ; number += 1) {
    const base = number === 0 ? path : pathWith(path, `_${number}`);
    if (await areFree(splitPaths(base, split).paths)) return base;
  }
}

async function areFree(paths: readonly string[]): Promise<boolean> {
  const found = await Promise.all(
    paths.map((path) =>
      stat(path).then(
        () => true,
        () => false, // absent, or nothing that opening it would not say better
      ),
    ),
  );
  return !found.includes(true);
}

/** The page is there as a whole or not at all. */
async function writePage(page: string, paths: readonly string[]): Promise<void> {
  const draft = `${page}.new`;
  try {
    const handle = await open(draft, 'w');
    try {
      for await (const part of trainingPage(paths)) await handle.writeFile(part);
    } finally {
      await handle.close();
    }
    await rename(draft, page);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

function withoutEnding(path: string): string {
  return path.slice(0, path.length - extname(path).length);
}
