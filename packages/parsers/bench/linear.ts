/**
 * How the time grows with the length of the text: in every format, on ordinary and on hostile texts, in one piece and in chunks of four
 * characters. The exponent is that of the processor time between a short and a long text: 1 is linear, 2 quadratic.
 *
 * Short and long texts are read in processes of their own, and so is each way of reading, as by those who do the one or the other: compiler and
 * collector adjust to how long things live. Both read warm code. The short text is read again and again, its garbage being collected meanwhile.
 * What exceeds the bound among others is measured again alone: what was read before may be in its way, as when the compiler took all objects
 * of a kind for long-lived ones.
 *
 * Ours are the built files, as they are published. Only the worst exponent of each format is held to the bound; `details` has all of
 * them, with the nanoseconds a character of both texts.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { type Ratio, report } from '@hermes/bench';
import { builtinParsers, getParser, type ToolCallParser } from '@hermes/parsers';
import { cpuMicroseconds } from './_cpu-time.ts';
import { hostileTexts, tools } from './_hostile-texts.ts';

type Read = (parser: ToolCallParser, text: string) => void;

const shortLength = 40_000;
const longLength = Number(process.env.LINEAR_LENGTH ?? 10_000_000);
/** Short texts are read for this long before anything counts, all kinds together, and each for this long a measurement. */
const warmUpMs = 1500;
const budgetMs = 60;
const bound = 1.1;
/** A time is the least of this many measurements, of more where they are short; long texts are read again only while the bound is exceeded. */
const attempts = 4;
const attemptsMs = 1000;
const ways: Readonly<Record<string, Read>> = {
  'one piece': (parser, text) => void parser.parse(text, { tools }),
  'chunks, whole': (parser, text) => readInChunks(parser, text, 'whole'),
  'chunks, incremental': (parser, text) => readInChunks(parser, text, 'incremental'),
};

/** Nanoseconds a character, by the kind of text. */
type Times = Readonly<Record<string, number>>;
/** What a process measures: the times of short texts, or of long ones where those of the short ones are given. */
type Task = Readonly<{ format: string; way: string; kinds: readonly string[]; ofShort?: Times }>;
type Growth = Readonly<{ exponent: number; nanosecondsACharacter: readonly [number, number] }>;

/** `linear.ts [FORMAT [KIND]]` measures all formats or one alone, all texts or those of the kinds whose names hold this. */
const [only = '', onlyKind = ''] = process.argv.slice(2);
if (process.send === undefined) await reportAll();
else process.once('message', (task: Task) => process.send?.(timesOf(task)));

async function reportAll(): Promise<void> {
  const names = builtinParsers.map(({ name }) => name).filter((name) => name.includes(only));
  const growths: Record<string, Growth> = {};
  const take = async (): Promise<void> => {
    for (let name = names.shift(); name !== undefined; name = names.shift())
      Object.assign(growths, await growthsOf(name));
  };
  await Promise.all(Array.from({ length: availableParallelism() }, take));
  const details = Object.fromEntries(Object.entries(growths).sort());
  if (only + onlyKind !== '') process.stdout.write(`${JSON.stringify(details, null, 2)}\n`);
  else
    await report(
      import.meta.url,
      builtinParsers.map(({ name }) => worstOf(name, details)),
      details,
    );
}

function worstOf(name: string, growths: Readonly<Record<string, Growth>>): Ratio {
  const own = Object.entries(growths).filter(([label]) => label.startsWith(`${name}, `));
  const value = Math.max(...own.map(([, { exponent }]) => exponent));
  return { name: `${name}: exponent of the time`, value, bound, unit: '' };
}

async function growthsOf(format: string): Promise<Record<string, Growth>> {
  const growths: Record<string, Growth> = {};
  const kinds = Object.keys(hostileTexts(getParser(format)));
  const asked = kinds.filter((kind) => kind.includes(onlyKind));
  for (const way of Object.keys(ways)) {
    const measured = await compare({ format, way, kinds: asked });
    for (const [kind, together] of measured) {
      let growth = together;
      for (let again = 1; again < attempts && growth.exponent > bound; again += 1)
        for (const [, alone] of await compare({ format, way, kinds: [kind] }))
          if (alone.exponent < growth.exponent) growth = alone;
      const label = `${format}, ${kind}, ${way}`;
      growths[label] = growth;
      if (growth.exponent > bound) process.stdout.write(`${label}: ${JSON.stringify(growth)}\n`);
    }
  }
  return growths;
}

async function compare(task: Task): Promise<readonly (readonly [kind: string, Growth])[]> {
  const ofShort = await inOwnProcess(task);
  const ofLong = await inOwnProcess({ ...task, ofShort });
  return Object.entries(ofShort).map(([kind, short]) => {
    const long = ofLong[kind] ?? Number.NaN;
    const exponent = Number(exponentOf(short, long).toFixed(3));
    return [kind, { exponent, nanosecondsACharacter: [rounded(short), rounded(long)] }];
  });
}

/** Two digits behind the point: one would round the fastest to nothing. */
function rounded(nanoseconds: number): number {
  return Number(nanoseconds.toFixed(2));
}

function exponentOf(ofShort: number, ofLong: number): number {
  return 1 + Math.log(ofLong / ofShort) / Math.log(longLength / shortLength);
}

async function inOwnProcess(task: Task): Promise<Times> {
  const child = fork(fileURLToPath(import.meta.url));
  child.send(task);
  const told = once(child, 'message');
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the measuring of ${task.format} ended with ${code}`);
  });
  const [times] = await Promise.race([told, ended]);
  child.disconnect();
  return times;
}

function timesOf({ format, way, kinds: names, ofShort }: Task): Times {
  const parser = getParser(format);
  const read = ways[way];
  if (read === undefined) throw new Error(`no way of reading is called ${way}`);
  const kinds = Object.entries(hostileTexts(parser)).filter(([kind]) => names.includes(kind));
  if (ofShort === undefined)
    for (const [, write] of kinds) {
      const text = write(shortLength);
      meanNanoseconds(() => read(parser, text), warmUpMs / kinds.length);
    }
  const times = kinds.map(([kind, write]) => {
    const short = ofShort?.[kind];
    const text = inOnePlace(write(short === undefined ? shortLength : longLength));
    const run = (): void => read(parser, text);
    const time = short === undefined ? timeOfShort(run) : timeOfLong(run, short * text.length);
    return [kind, time / text.length] as const;
  });
  return Object.fromEntries(times);
}

function timeOfShort(run: () => void): number {
  return Math.min(...Array.from({ length: attempts }, () => meanNanoseconds(run, budgetMs)));
}

/** `ideal`: what it would be if the time a character were that of a short text. */
function timeOfLong(run: () => void, ideal: number): number {
  let least = Number.POSITIVE_INFINITY;
  let spent = 0;
  const mayGoOn = (attempt: number): boolean => attempt < attempts || spent < attemptsMs * 1e6;
  for (let attempt = 0; mayGoOn(attempt) && exponentOf(ideal, least) > bound; attempt += 1) {
    const time = meanNanoseconds(run, 0);
    spent += time;
    least = Math.min(least, time);
  }
  return least;
}

/** A text that was put together is copied where it is read first: that is not the parser's time. */
function inOnePlace(text: string): string {
  return Buffer.from(text).toString();
}

function readInChunks(
  parser: ToolCallParser,
  text: string,
  delivery: 'whole' | 'incremental',
): void {
  const stream = parser.stream({ tools, delivery });
  for (let from = 0; from < text.length; from += 4) stream.push(text.slice(from, from + 4));
  stream.finish();
}

/** Nanoseconds of a run: once, and again until the budget is used up. */
function meanNanoseconds(run: () => void, budgetMs: number): number {
  const begin = cpuMicroseconds();
  for (let runs = 1; ; runs += 1) {
    run();
    const spent = cpuMicroseconds() - begin;
    if (spent >= budgetMs * 1000) return (spent * 1000) / runs;
  }
}
