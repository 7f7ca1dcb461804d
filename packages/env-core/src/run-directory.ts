import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type {
  ErroredRollout,
  JsonObject,
  RolloutEvent,
  RolloutRecord,
  RolloutTry,
} from '@hermes/protocol';
import { HermesError } from '@hermes/protocol';
import { openEventFiles } from './_event-files.ts';
import { fileError, withFileErrors } from './_file-error.ts';
import { type GroupLog, openGroupLog } from './_group-log.ts';
import { type LineWriter, openLineWriter, parseLine, writeAtomically } from './_jsonl-file.ts';
import { makeFolder } from './_make-folder.ts';
import { removeRun } from './_remove-run.ts';
import { type History, readHistory } from './_run-history.ts';
import { takeLock } from './_run-lock.ts';
import { eventsIn, recordsIn } from './_stored-rollouts.ts';
import { createEffects } from './create-effects.ts';
import type { RolloutSink, RunSummary } from './run-events.ts';
import type { Trial } from './run-options.ts';
import { type RunPlan, refuseOtherPlan } from './run-plan.ts';

/**
 * The state of a run on disk, with one writer. A trial is finished when its line is in records.jsonl;
 * started without a line means interrupted, and it runs again as a new try.
 *
 *     run.json             plan, seed, configuration (secrets redacted), versions
 *     records.jsonl        the final record of each trial, one line, fsynced
 *     tries.jsonl          the records of tries that were made again, and of finished trials that ran again
 *     started.jsonl        {trialKey, rolloutId, wallMs} before each try
 *     events/ID.jsonl      the events of a rollout, without deltas
 *     artifacts/ID/        verifier output and collected files
 *     summary.json         rebuilt from records.jsonl at any time
 *     damaged.jsonl        lines that a crash cut, moved aside
 *     groups.jsonl         {groupId, index, itemId, outcome, reason, ...} of each group that has ended (process, serve)
 *     refused.jsonl        {reason, group} of groups that a trainer refused
 *     position.json        where in the data a run stands
 *     lock                 who is writing
 */
export interface RunDirectory extends RolloutSink {
  readonly path: string;
  readonly runId: string;
  readonly plan: RunPlan;
  /** Lines that were cut by a crash and moved aside when the directory was opened. */
  readonly damagedLines: number;
  /** By trial key; without messages and token segments, which stay on disk. */
  finished(): ReadonlyMap<string, RolloutRecord>;
  /** The whole final records of these trials, in the order in which they ended. */
  records(trialKeys: ReadonlySet<string>): AsyncIterable<RolloutRecord>;
  /** What is on disk of a rollout's events. */
  events(rolloutId: string): AsyncIterable<RolloutEvent>;
  /** The groups of a run that plays its items in groups. Opened with the first call, closed with the directory. */
  groups(): Promise<GroupLog>;
  /** Tries of earlier processes, oldest first; those without an end have the cause `interrupted`. */
  earlierTries(trialKey: string): readonly RolloutTry[];
  /** Notes how many trials the run has, for those who read it later. */
  planned(count: number): Promise<void>;
  started(trial: Trial<unknown>, rolloutId: string): Promise<void>;
  /** A folder for files of this rollout; the caller makes it. */
  artifacts(rolloutId: string): string;
  summarised(summary: RunSummary): Promise<void>;
  record(record: RolloutRecord): Promise<void>;
  tried(record: ErroredRollout): Promise<void>;
  /** Removes a run that this process has begun and that shall leave nothing; one that was there before stays. Then only close it. */
  discard(): Promise<void>;
  /** Gives the directory back. A new run that never got to know its trials is removed again: nothing half written is left. */
  close(): Promise<void>;
}

/** resume: go on with what is there (nothing is there: start). retry: which finished trials run again beside those errored by `cancelled`, which always do; default: none. run: what else run.json shall say. */
export type RunDirectoryOptions = Readonly<{
  resume: boolean;
  plan: RunPlan;
  run?: JsonObject;
  retry?: (record: RolloutRecord) => boolean;
}>;

/** run.json. planned: how many trials the plan has; null until they were counted. */
export type RunFile = Readonly<{
  v: 1;
  runId: string;
  createdAtMs: number;
  plan: RunPlan;
  planned: number | null;
  run: JsonObject;
}>;

/**
 * Opens a run directory and locks it. Throws a HermesError `config`: RUN_EXISTS without resume,
 * PLAN_CHANGED naming each field that differs, RUN_IN_USE naming the process, RUN_DIRECTORY where the
 * folder cannot be used.
 */
export async function openRunDirectory(
  path: string,
  options: RunDirectoryOptions,
): Promise<RunDirectory> {
  const folder = resolve(path);
  const made = await prepareFolder(folder);
  const lock = await withFileErrors('config', folder, () => takeLock(folder));
  try {
    const run = await openRunFile(folder, options);
    const retry = (record: RolloutRecord) =>
      isCancelled(record) || options.retry?.(record) === true;
    const history = await withFileErrors('config', folder, () => readHistory(folder, retry));
    return await openWriters({ folder, made, run, history, release: lock.release });
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** The outermost folder that was not there before; null: the run's own folder was there, perhaps empty. */
async function prepareFolder(folder: string): Promise<string | null> {
  return withFileErrors('config', folder, async () => {
    const made = await makeFolder(folder);
    const names = await readdir(folder);
    if (names.length > 0 && !names.some((name) => OWN_NAMES.test(name))) throw notARun(folder);
    for (const name of ['events', 'artifacts']) await makeFolder(join(folder, name));
    return made;
  });
}

/** What a run directory may hold when a crash left nothing else. */
const OWN_NAMES = /^(run\.json|lock|events|artifacts)/;

async function openRunFile(folder: string, options: RunDirectoryOptions): Promise<RunFile> {
  const known = await readRunFile(folder);
  if (known && !options.resume) throw runExists(folder);
  if (known) refuseOtherPlan(folder, known.plan, options.plan);
  const { newId, clock } = createEffects();
  const createdAtMs = clock.now().wallMs;
  const fresh = { v: 1, runId: newId('run'), createdAtMs, planned: null } as const;
  const run = { ...fresh, ...known, plan: options.plan, run: options.run ?? {} };
  await withFileErrors('config', folder, () => writeJson(folder, 'run.json', run));
  return run;
}

function writeJson(folder: string, name: string, value: object): Promise<void> {
  return writeAtomically(join(folder, name), `${JSON.stringify(value, null, 2)}\n`);
}

/** null: there is no run yet. */
export async function readRunFile(folder: string): Promise<RunFile | null> {
  const text = await readFile(join(folder, 'run.json'), 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return null;
    throw fileError('config', folder, error);
  });
  return text === null ? null : parseRunFile(folder, text);
}

function parseRunFile(folder: string, text: string): RunFile {
  const file = parseLine({ bytes: Buffer.from(text), whole: true }) as Partial<RunFile> | undefined;
  if (file?.v === 1 && typeof file.runId === 'string' && typeof file.plan === 'object')
    return file as RunFile;
  const message = `${folder}/run.json is not what a run of this version writes: restore it, or choose another folder`;
  throw new HermesError('config', 'RUN_DIRECTORY', message);
}

/** What an opened directory consists of. */
type Opened = Readonly<{
  folder: string;
  /** The outermost folder that this process made; null: none. */
  made: string | null;
  run: RunFile;
  history: History;
  release: () => Promise<void>;
}>;

type Writers = Readonly<Record<'records' | 'tries' | 'started', LineWriter>>;

async function openWriters(opened: Opened): Promise<RunDirectory> {
  const { folder } = opened;
  const open = (name: string, sync: boolean) =>
    withFileErrors('config', folder, () => openLineWriter(join(folder, name), { sync }));
  const writers = {
    records: await open('records.jsonl', true),
    tries: await open('tries.jsonl', true),
    started: await open('started.jsonl', false),
  };
  return createDirectory(opened, writers);
}

function createDirectory(opened: Opened, writers: Writers): RunDirectory {
  const { folder, run, history } = opened;
  const events = openEventFiles(join(folder, 'events'));
  const { clock } = createEffects();
  const recorded = new Set(history.finished.keys());
  const isNew = run.planned === null;
  let isKept = !isNew;
  const guard = <T>(work: () => Promise<T>) => {
    isKept = true;
    return withFileErrors('environment', folder, work);
  };
  const keep = async (writer: LineWriter, record: RolloutRecord) => {
    await events.flush(record.rolloutId);
    await writer.append(record);
  };
  const close = async () => {
    try {
      await withFileErrors('environment', folder, events.flushAll);
    } finally {
      for (const writer of Object.values(writers)) await writer.close();
      await groups?.then(
        (log) => log.close(),
        () => undefined, // who asked for them was told
      );
      const removeFolders = isKept ? null : await removeRun(opened);
      await opened.release(); // its file lies in the folder
      await removeFolders?.();
    }
  };
  let groups: Promise<GroupLog> | null = null;
  let closing: Promise<void> | null = null;
  return {
    path: folder,
    runId: run.runId,
    plan: run.plan,
    damagedLines: history.damagedLines,
    finished: () => history.finished,
    records: (trialKeys) => recordsIn(folder, trialKeys),
    events: (rolloutId) => eventsIn(folder, rolloutId),
    groups: () => {
      groups ??= withFileErrors('config', folder, () => openGroupLog(folder));
      return groups;
    },
    earlierTries: (key) => history.tries.get(key) ?? [],
    planned: (planned) => guard(() => writeJson(folder, 'run.json', { ...run, planned })),
    started: ({ trialKey }, rolloutId) =>
      guard(() => writers.started.append({ trialKey, rolloutId, wallMs: clock.now().wallMs })),
    artifacts: (rolloutId) => join(folder, 'artifacts', rolloutId),
    event: events.add,
    record: async (record) => {
      if (recorded.has(record.trialKey)) throw twice(record);
      recorded.add(record.trialKey);
      await guard(() => keep(writers.records, record));
    },
    tried: (record) => guard(() => keep(writers.tries, record)),
    summarised: (summary) => guard(() => writeJson(folder, 'summary.json', summary)),
    discard: async () => {
      isKept = !isNew;
    },
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

function isCancelled(record: RolloutRecord): boolean {
  return record.status === 'errored' && record.errored.reason === 'cancelled';
}

function runExists(folder: string): HermesError {
  return new HermesError(
    'config',
    'RUN_EXISTS',
    `There is already a run in ${folder}. Go on with it (--resume) or choose another folder`,
  );
}

function notARun(folder: string): HermesError {
  return new HermesError(
    'config',
    'RUN_DIRECTORY',
    `The folder ${folder} holds other files and no run. Choose an empty or a new folder`,
  );
}

function twice(record: RolloutRecord): HermesError {
  return new HermesError(
    'data',
    'RECORDED_TWICE',
    `The trial ${record.trialKey} of item ${record.identity.itemId} has its final record already`,
  );
}
