import type { JsonObject, JsonValue } from '@hermes/protocol';

/** Where a value comes from. name: as people know it, such as `TERMINAL_ENV`, `run.yaml:4` or `--max-turns`. */
export type ValueSource = Readonly<{
  kind: 'default' | 'environment' | 'command' | 'variable' | 'file' | 'flag';
  name: string;
}>;

/** A value and where it comes from; a map that several layers fill has several sources, the weakest first. */
type TracedValue = Readonly<{
  value: JsonValue;
  sources: readonly ValueSource[];
  /** The word in the file that was read as a number or a truth value. */
  word?: string;
}>;

/** Values of a section. */
export type Traced = Readonly<Record<string, TracedValue>>;

/** What a layer knows of its keys beside their values. */
export type Trace = (key: string) => Readonly<{ source: ValueSource; word?: string }>;

/** Puts stronger values over weaker ones: maps are merged, everything else is replaced. */
export function layered(weak: Traced, strong: JsonObject, trace: Trace): Traced {
  const entries = Object.entries(strong).map(([key, value]) => {
    const below = weak[key];
    const { source, ...word } = trace(key);
    if (below === undefined || !isMap(below.value) || !isMap(value))
      return [key, { value, sources: [source], ...word }] as const;
    const sources = [...below.sources.filter(({ name }) => name !== source.name), source];
    return [key, { value: mergeDeep(below.value, value), sources }] as const;
  });
  return { ...weak, ...Object.fromEntries(entries) };
}

/** The values alone. */
export function valuesOf(traced: Traced): JsonObject {
  return Object.fromEntries(Object.entries(traced).map(([key, { value }]) => [key, value]));
}

/** Whether a value is a map. */
export function isMap(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function mergeDeep(weak: JsonObject, strong: JsonObject): JsonObject {
  const merged = Object.entries(strong).map(([name, value]) => {
    const below = weak[name];
    return [name, isMap(below) && isMap(value) ? mergeDeep(below, value) : value] as const;
  });
  return { ...weak, ...Object.fromEntries(merged) };
}
