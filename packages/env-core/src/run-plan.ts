import type { JsonObject, Sampling } from '@hermes/protocol';
import { HermesError } from '@hermes/protocol';
import { canonicalJson } from './_canonical-json.ts';
import { seededRandom } from './_seeded-random.ts';
import { redacted } from './config/_redact.ts';
import type { ItemFilter, RunOptions } from './run-options.ts';

/**
 * What the results of a run depend on. A resume compares it field by field. What only says where and
 * how fast things run (base URL, port, key, concurrency, sandbox provider) is no part of it.
 */
export type RunPlan = Readonly<{
  environment: Readonly<{ id: string; version: string; configDigest: string }>;
  datasetRevision: string;
  model: Readonly<{ provider: string; modelId: string }>;
  sampling: Sampling;
  systemPrompt: string | null;
  seed: number;
  toolsets: readonly string[];
  limits: JsonObject;
  toolLimits: JsonObject;
  context: string | null;
  extraBody: JsonObject;
  templateArguments: JsonObject;
  /** Of tool calls in plain text; null = none. */
  parser: string | null;
  marks: readonly string[];
  /** What plays the items in groups, and how many attempts a group has; absent: an evaluation. */
  groups?: Readonly<{ job: 'process' | 'serve'; size: number }>;
  /** May grow on resume. */
  attempts: number;
  /** May change on resume as long as every finished trial stays in. */
  filter: ItemFilter;
}>;

/** What `evaluate` may be given beside the options of every run. */
export type EvaluateOptions<Data> = RunOptions<Data> &
  Readonly<{ attempts?: number; filter?: ItemFilter }>;

/** The plan of an evaluation; give it to `openRunDirectory`. */
export function planOf<Data>(options: EvaluateOptions<Data>): RunPlan {
  const { id, version, configDigest } = options.definition;
  const { provider, modelId } = options.model;
  return {
    environment: { id, version, configDigest },
    datasetRevision: options.environment.datasetRevision,
    model: { provider, modelId },
    sampling: options.sampling,
    systemPrompt: options.systemPrompt ?? null,
    seed: options.seed ?? 0,
    toolsets: toolsetNames(options),
    limits: asJson(options.limits),
    toolLimits: asJson(options.toolLimits),
    context: options.context?.().name ?? null,
    extraBody: redacted(asJson(options.extraBody)),
    templateArguments: asJson(options.templateArguments),
    parser: options.parser ?? null,
    marks: [...(options.marks ?? [])].sort(),
    attempts: options.attempts ?? 1,
    filter: options.filter ?? {},
  };
}

/** The plan of a run that plays its items in groups; give it to `openRunDirectory`. */
export function groupPlanOf<Data>(
  options: RunOptions<Data>,
  groups: NonNullable<RunPlan['groups']>,
  filter: ItemFilter = {},
): RunPlan {
  return { ...planOf({ ...options, attempts: groups.size, filter }), groups };
}

/** Throws CONFIG naming every field in which a resumed run would differ from the one on disk. */
export function refuseOtherPlan(path: string, before: RunPlan, now: RunPlan): void {
  const { attempts: attemptsBefore, filter: _before, ...fixedBefore } = before;
  const { attempts, filter: _now, ...fixed } = now;
  const changes = planDifferences(fixedBefore, fixed);
  if (attempts < attemptsBefore) changes.push(change('attempts', attemptsBefore, attempts));
  if (changes.length === 0) return;
  throw new HermesError(
    'config',
    'PLAN_CHANGED',
    `The run in ${path} was started with another plan: ${changes.join('; ')}. ` +
      'Go on with the old values, or start a new run in another folder',
  );
}

/** One line for each leaf in which two plans, or parts of them, differ. */
export function planDifferences(before: object, now: object): string[] {
  return differences('', before, now);
}

function differences(path: string, before: unknown, now: unknown): string[] {
  if (canonicalJson(before ?? null) === canonicalJson(now ?? null)) return [];
  if (!isRecord(before) || !isRecord(now)) return [change(path, before, now)];
  const keys = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...keys].flatMap((key) =>
    differences(path === '' ? key : `${path}.${key}`, before[key], now[key]),
  );
}

function change(path: string, before: unknown, now: unknown): string {
  return `${path} was ${show(before)} and is ${show(now)}`;
}

function show(value: unknown): string {
  return value === undefined ? 'absent' : JSON.stringify(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function toolsetNames<Data>(options: RunOptions<Data>): readonly string[] {
  const random = seededRandom(String(options.seed ?? 0)).fork('toolsets/0');
  const toolsets = options.toolsets?.({ index: 0, random }) ?? options.environment.toolsets;
  return toolsets.map((toolset) => toolset.name);
}

/** As it would be read back from a file, so that both sides compare alike. */
function asJson(value: unknown): JsonObject {
  return value === undefined ? {} : (JSON.parse(JSON.stringify(value)) as JsonObject);
}
