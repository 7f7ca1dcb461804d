/**
 * This package beside its peers and the floor, in one table: accuracy on the conformance vectors, an ordinary message, big bodies in one
 * piece and streams of four-character chunks. Ours are the built files, as they are published. The floor is a bare `JSON.parse` of the arguments. Times are the least of many runs, in processor time.
 *
 * Peers are programs of their own (peers/protocol.md); those that are not installed are left out, and what is held against them with them.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Ratio, report } from '@hermes/bench';
import { getParser, type ParseOptions, type ParseResult } from '@hermes/parsers';
import {
  bodies,
  bodyCase,
  type Case,
  caseOf,
  isOrdinary,
  readVectors,
  type Vector,
} from './_cases.ts';
import { leastMicroseconds } from './_cpu-time.ts';
import { tools } from './_hostile-texts.ts';
import { tableOf } from './_table.ts';

type Answer = Readonly<{
  id: string;
  microseconds: number | null;
  calls: readonly Readonly<{ name: string; arguments: string }>[];
  content: string | null;
}>;
type Answers = ReadonlyMap<string, Answer>;

const peersFolder =
  process.env.HERMES_PEERS ??
  join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'hermes-peers');
const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const peers: Readonly<Record<string, readonly string[]>> = {
  'tool-parser (Rust)': [join(peersFolder, 'tool-parser/target/release/peer-tool-parser')],
  '@ai-sdk-tool/parser': [
    process.execPath,
    here('./peers/ai-sdk.mjs'),
    join(peersFolder, 'ai-sdk'),
  ],
  'SGLang 0.5.23': [
    join(peersFolder, 'sglang/venv/bin/python'),
    here('./peers/sglang.py'),
    join(peersFolder, 'sglang'),
  ],
};
const jsonFormats = ['hermes', 'mistral', 'deepseek_v3', 'deepseek_v3_1', 'kimi_k2', 'llama3_json'];
const textFormats = ['qwen3_coder', 'glm47', 'deepseek_v32', 'minimax_m2'];

const vectors = readVectors();
const ordinary = vectors.filter(isOrdinary);
const cases: readonly Case[] = [
  ...vectors.map((vector) => caseOf(vector, isOrdinary(vector) ? 20 : 0)),
  ...[...jsonFormats, ...textFormats].flatMap((format) => [
    bodyCase(format, 'string', 100_000),
    bodyCase(format, 'rows', 100_000),
    bodyCase(format, 'string', 10_000, 4),
  ]),
];

// every message before the first is timed: the engine has then seen all of them
for (let round = 0; round < 50; round += 1)
  for (const vector of ordinary) readOnce(caseOf(vector, 0));
const ours = new Map(cases.map((given) => [given.id, runOurs(given)]));
const others = Object.fromEntries(
  Object.entries(peers)
    .filter(([, command]) => command.every((part) => existsSync(part)))
    .map(([name, command]) => [name, runPeer(command)]),
);
const table = [
  ...Object.entries({ '@hermes/parsers': ours, ...others }).map(([name, answers]) =>
    rowOf(name, answers),
  ),
  floorRow(),
  ...recordedRows(),
];
process.stdout.write(`${tableOf(table)}\n`);
await report(import.meta.url, [...againstPeers(), ...againstFloor(), ...streams()], {
  table,
  bodies: Object.fromEntries(
    cases
      .filter(({ id }) => id.includes(' KB'))
      .map(({ id }) => [
        id,
        { ours: timeOf(ours, id), ...mapValues(others, (answers) => timeOf(answers, id)) },
      ]),
  ),
});

function runOurs(given: Case): Answer {
  const { id, budgetMs } = given;
  const options = vectors.find((vector) => vector.id === id)?.options;
  const once = () => readOnce(given, options);
  const { toolCalls, content } = once();
  const calls = toolCalls.map((call) => call.function);
  return {
    id,
    microseconds: budgetMs === 0 ? null : leastMicroseconds(once, budgetMs),
    calls,
    content,
  };
}

function readOnce({ format, text, tools, chunk }: Case, options?: ParseOptions): ParseResult {
  const parser = getParser(format);
  if (chunk === undefined) return parser.parse(text, { ...options, tools });
  const stream = parser.stream({ tools });
  for (let from = 0; from < text.length; from += chunk) stream.push(text.slice(from, from + chunk));
  return stream.finish().result;
}

function runPeer([command = '', ...args]: readonly string[]): Answers {
  const folder = mkdtempSync(join(tmpdir(), 'parsers-bench-'));
  try {
    const file = join(folder, 'cases.jsonl');
    writeFileSync(file, cases.map((given) => `${JSON.stringify(given)}\n`).join(''));
    const ended = spawnSync(command, [...args, file], { encoding: 'utf8', maxBuffer: 2 ** 30 });
    if (ended.status !== 0)
      throw new Error(`${command} ended with ${ended.status}: ${ended.stderr}`);
    const lines = ended.stdout.trim().split('\n');
    return new Map(
      lines.map((text) => JSON.parse(text) as Answer).map((answer) => [answer.id, answer]),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** One row of the table. A peer is asked only about the formats that it knows; so are we in its row. */
function rowOf(name: string, answers: Answers): Readonly<Record<string, unknown>> {
  const known = vectors.filter((vector) => answers.has(vector.id));
  const share = (from: Answers): string => {
    const right = known.filter((vector) => isRight(from.get(vector.id), vector)).length;
    return `${((100 * right) / known.length).toFixed(1)} %`;
  };
  return {
    name,
    vectors: known.length,
    right: share(answers),
    'right, ours': share(ours),
    'both right': comparable(answers).length,
    'us a message': meanOf(answers, answers).toPrecision(3),
    'us a message, ours': meanOf(ours, answers).toPrecision(3),
    'in the middle': medianOf(answers, answers).toPrecision(3),
    'in the middle, ours': medianOf(ours, answers).toPrecision(3),
  };
}

/** A bare `JSON.parse` of the arguments of each ordinary message. */
function floorRow(): Readonly<Record<string, unknown>> {
  const times = ordinary.map(({ expect }) => {
    const payloads = expect.calls.map((call) => JSON.stringify(call.arguments));
    return leastMicroseconds(() => payloads.map((text) => JSON.parse(text)), 2);
  });
  const mean = times.reduce((sum, time) => sum + time) / times.length;
  return {
    name: 'JSON.parse (floor)',
    'us a message': mean.toPrecision(3),
    'in the middle': median(times).toPrecision(3),
  };
}

/** Peers that are too large to be installed here: what was measured elsewhere, on another day. */
function recordedRows(): readonly Readonly<Record<string, unknown>>[] {
  const rows = JSON.parse(readFileSync(here('./peers/recorded.json'), 'utf8')) as readonly Readonly<
    Record<string, string>
  >[];
  return rows.map(({ why, ...row }) => row);
}

/** The ordinary messages whose calls a peer and this package read right. */
function comparable(peer: Answers): readonly Vector[] {
  return ordinary.filter((vector) =>
    [peer, ours].every((answers) => hasRightCalls(answers.get(vector.id), vector)),
  );
}

function meanOf(answers: Answers, peer: Answers): number {
  const times = comparable(peer).map(({ id }) => timeOf(answers, id) ?? 0);
  return times.reduce((sum, time) => sum + time, 0) / times.length;
}

/** The message in the middle of the comparable ones. */
function medianOf(answers: Answers, peer: Answers): number {
  return median(comparable(peer).map(({ id }) => timeOf(answers, id) ?? 0));
}

function median(values: readonly number[]): number {
  return [...values].sort((one, two) => one - two)[Math.floor(values.length / 2)] ?? 0;
}

/** Calls and content, outer white space aside, which peers treat in their own ways. */
function isRight(answer: Answer | undefined, { expect, alternatives = [] }: Vector): boolean {
  return [expect, ...alternatives].some((expected) => {
    const isContent = (answer?.content ?? '').trim() === (expected.content ?? '').trim();
    return isContent && essenceOf(answer?.calls) === essenceOf(expected.calls);
  });
}

function hasRightCalls(answer: Answer | undefined, { expect, alternatives = [] }: Vector): boolean {
  const found = essenceOf(answer?.calls);
  return [expect, ...alternatives].some(({ calls }) => found === essenceOf(calls));
}

type Call = Readonly<{ name: string; arguments: unknown }>;

function essenceOf(calls: readonly Call[] = []): string {
  return JSON.stringify(calls.map((call) => [call.name, canonical(call.arguments)]));
}

/** The value, whatever the spelling of its JSON and the order of its keys. */
function canonical(value: unknown): unknown {
  try {
    return sorted(typeof value === 'string' ? JSON.parse(value) : value);
  } catch {
    return { broken: value };
  }
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const entries = Object.entries(value).sort(([one], [two]) => (one < two ? -1 : 1));
  return entries.map(([key, part]) => [key, sorted(part)]);
}

function timeOf(answers: Answers, id: string): number | null {
  return answers.get(id)?.microseconds ?? null;
}

function againstPeers(): readonly Ratio[] {
  return Object.entries(others).flatMap(([name, answers]) => [
    {
      name: `ordinary message, ours to ${name}`,
      value: meanOf(ours, answers) / meanOf(answers, answers),
      bound: 1,
    },
    ...textFormats.flatMap((format) => bodyRatios(format, name, answers)),
  ]);
}

function bodyRatios(format: string, name: string, answers: Answers): readonly Ratio[] {
  return Object.keys(bodies).flatMap((body) => {
    const id = `${format}, ${body}, 100 KB`;
    const time = timeOf(answers, id);
    if (time === null || answers.get(id)?.calls.length !== 1) return [];
    return [{ name: `${id}, ours to ${name}`, value: (timeOf(ours, id) ?? 0) / time, bound: 1 }];
  });
}

function againstFloor(): readonly Ratio[] {
  return jsonFormats.flatMap((format) =>
    Object.entries(bodies).map(([body, write]): Ratio => {
      const id = `${format}, ${body}, 100 KB`;
      const payload = JSON.stringify(write(100_000));
      const floor = leastMicroseconds(() => JSON.parse(payload), 400);
      const value = floor / (timeOf(ours, id) ?? Number.POSITIVE_INFINITY);
      return {
        name: `${id}: throughput to that of JSON.parse`,
        value,
        bound: 0.25,
        direction: 'at_least',
      };
    }),
  );
}

function streams(): readonly Ratio[] {
  return [...jsonFormats, ...textFormats].flatMap((format) =>
    (['whole', 'incremental'] as const).map((delivery): Ratio => {
      const { text } = bodyCase(format, 'string', 100_000);
      const chunks = text.match(/.{1,4}/gs) ?? [];
      const read = () => {
        const stream = getParser(format).stream({ tools, delivery });
        for (const chunk of chunks) stream.push(chunk);
        return stream.finish();
      };
      const value = leastMicroseconds(read, 400) / chunks.length;
      return {
        name: `${format}: a chunk of 4, ${delivery}`,
        value,
        bound: delivery === 'whole' ? 1 : 2,
        unit: ' us',
      };
    }),
  );
}

function mapValues<T, R>(
  record: Readonly<Record<string, T>>,
  map: (value: T) => R,
): Record<string, R> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
