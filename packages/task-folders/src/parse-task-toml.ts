import { parse, TomlError } from 'smol-toml';
import type * as z from 'zod';
import { mebibytes, parseSize } from './_sizes.ts';
import { taskError } from './_task-error.ts';
import { lineOfKey } from './_toml-place.ts';
import { checkTaskToml } from './_toml-schema.ts';
import type { TaskToml } from './_toml-types.ts';
import type { TaskProblem } from './types.ts';

const FILE = 'task.toml';
const MAX_UNKNOWN_KEYS = 100;
const KNOWN_VERSIONS = ['1.0', '1.1', '1.2', '1.3', '1.4'];

/** A task.toml with its sizes in bytes and what is odd about it. */
export type ParsedTaskToml = Readonly<{
  toml: TaskToml;
  memoryBytes: number | null;
  diskBytes: number | null;
  problems: readonly TaskProblem[];
}>;

/** Reads the text of a task.toml. `where` goes before the file's name in messages. Throws TASK for bad TOML, a wrong type and contradictions. */
export function parseTaskToml(text: string, where = ''): ParsedTaskToml {
  const fail: Fail = (path, message) => {
    throw taskError(`${where}${FILE}:${lineOfKey(text, path)}`, message);
  };
  const raw = parseText(text, where);
  const { toml, unknown } = checkKeys(raw, fail);
  refuseContradictions(toml, fail);
  const problems = unknown.map((path) => unknownKey(text, path));
  return {
    toml,
    memoryBytes: bytes(toml, 'memory', fail),
    diskBytes: bytes(toml, 'storage', fail),
    problems: [...problems, ...versionProblems(text, toml), ...unusedProblems(text, toml)],
  };
}

type Fail = (path: readonly PropertyKey[], message: string) => never;

function parseText(text: string, where: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const reason = error.message.split('\n')[0] ?? 'not TOML';
    throw taskError(`${where}${FILE}:${error.line}:${error.column}`, reason, error);
  }
}

function checkKeys(raw: unknown, fail: Fail): { toml: TaskToml; unknown: PropertyKey[][] } {
  const first = checkTaskToml(raw);
  if (first.success) return { toml: first.data, unknown: [] };
  const wrong = first.error.issues.find((issue) => issue.code !== 'unrecognized_keys');
  if (wrong !== undefined) return fail(wrong.path, `${wrong.path.join('.')}: ${wrong.message}`);
  const unknown = first.error.issues.flatMap(unknownPaths);
  if (unknown.length > MAX_UNKNOWN_KEYS)
    return fail([], `has ${unknown.length} keys that the format does not know: not a task.toml`);
  const second = checkTaskToml(unknown.reduce(withoutKey, raw));
  if (!second.success) return fail([], second.error.message);
  return { toml: second.data, unknown };
}

function unknownPaths(issue: z.core.$ZodIssue): PropertyKey[][] {
  return issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [];
}

function withoutKey(value: unknown, path: readonly PropertyKey[]): unknown {
  const [key, ...rest] = path;
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => rest.length > 0 || name !== key);
  const changed = kept.map(([name, inner]) => [
    name,
    name === key ? withoutKey(inner, rest) : inner,
  ]);
  return Object.fromEntries(changed);
}

function unknownKey(text: string, path: readonly PropertyKey[]): TaskProblem {
  const message = `${path.join('.')} is no key of the format and has no effect`;
  return { level: 'warning', message, place: `${FILE}:${lineOfKey(text, path)}` };
}

function versionProblems(text: string, toml: TaskToml): TaskProblem[] {
  const version = toml.schema_version ?? toml.version;
  if (version === undefined || KNOWN_VERSIONS.includes(version)) return [];
  const key = toml.schema_version === undefined ? 'version' : 'schema_version';
  const message = `version ${version} is not known (1.0 to 1.4 are); read as 1.4`;
  return [{ level: 'warning', message, place: `${FILE}:${lineOfKey(text, [key])}` }];
}

/** Parts of the format that change no score, and that nothing here follows yet. */
function unusedProblems(text: string, toml: TaskToml): TaskProblem[] {
  const unused = [
    {
      path: ['artifacts'],
      value: toml.verifier.environment_mode === 'separate' ? undefined : toml.artifacts,
    },
    { path: ['environment', 'skills_dir'], value: toml.environment.skills_dir },
    { path: ['environment', 'gpu_types'], value: toml.environment.gpu_types },
  ];
  return unused.flatMap(({ path, value }): TaskProblem[] => {
    const message = `${path.join('.')} has no effect yet`;
    const place = `${FILE}:${lineOfKey(text, path)}`;
    return value === undefined ? [] : [{ level: 'warning', message, place }];
  });
}

function refuseContradictions(toml: TaskToml, fail: Fail): void {
  const { environment, schema_version: schemaVersion, version } = toml;
  if (schemaVersion !== undefined && version !== undefined && schemaVersion !== version)
    fail(['version'], `version ${version} contradicts schema_version ${schemaVersion}`);
  const { allow_internet: allowed, network_mode: mode } = environment;
  if (allowed !== undefined && mode !== undefined && allowed !== (mode === 'public'))
    fail(['environment', 'allow_internet'], `allow_internet contradicts network_mode ${mode}`);
  if (mode === 'allowlist' && environment.allowed_hosts.length === 0)
    fail(['environment', 'network_mode'], 'network_mode allowlist needs allowed_hosts');
  for (const table of ['environment', 'agent', 'verifier'] as const) {
    const { allowed_hosts: hosts = [], network_mode: own } = toml[table];
    if (hosts.length > 0 && own !== 'allowlist')
      fail([table, 'allowed_hosts'], 'allowed_hosts needs network_mode allowlist');
  }
}

function bytes(toml: TaskToml, key: 'memory' | 'storage', fail: Fail): number | null {
  const legacy = toml.environment[key];
  const modern = toml.environment[`${key}_mb`];
  const fromModern = modern === undefined ? null : mebibytes(modern);
  if (legacy === undefined) return fromModern;
  const path = ['environment', key];
  const fromLegacy = parseSize(legacy) ?? fail(path, `${key}: "${legacy}" is no size such as "2G"`);
  if (fromModern !== null && fromModern !== fromLegacy)
    fail(path, `${key} and ${key}_mb are both set and differ`);
  return fromLegacy;
}
