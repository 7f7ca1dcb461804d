/**
 * How the time grows with the length of the text: in every format, on ordinary and on hostile texts, in one piece and in chunks of four
 * characters. The exponent is that of the time between a short and a long text, each the least of a few runs in processor time: 1 is linear, 2 quadratic.
 *
 * Only the worst exponent of each format is held to the bound; `details` has all of them, with the nanoseconds a character of the long text.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { report } from '@hermes/bench';
import { builtinParsers } from '../src/registry.ts';
import type { ToolCallParser } from '../src/types.ts';
import { cpuMicroseconds } from './_cpu-time.ts';
import { hostileTexts, tools } from './_hostile-texts.ts';

type Read = (parser: ToolCallParser, text: string) => void;

const short = 40_000;
const long = Number(process.env.LINEAR_LENGTH ?? 10_000_000);
/** Short runs are noisy: they repeat until this time is used up; a long one is run once. */
const budgetMs = 60;
const ways: Readonly<Record<string, Read>> = {
  'one piece': (parser, text) => void parser.parse(text, { tools }),
  'chunks, whole': (parser, text) => readInChunks(parser, text, 'whole'),
  'chunks, incremental': (parser, text) => readInChunks(parser, text, 'incremental'),
};

type Measured = Readonly<{ name: string; exponent: number; details: Record<string, unknown> }>;

const only = process.argv[2];
if (only === undefined) await reportAll();
else for (const parser of builtinParsers) if (parser.name === only) tell(measure(parser));

/** Each format in a process of its own: the garbage of one is not collected in the time of another. */
async function reportAll(): Promise<void> {
  const names = builtinParsers.map(({ name }) => name);
  const measured: Measured[] = [];
  const take = async (): Promise<void> => {
    for (let name = names.shift(); name !== undefined; name = names.shift())
      measured.push(await inOwnProcess(name));
  };
  await Promise.all(Array.from({ length: availableParallelism() }, take));
  measured.sort((one, two) => one.name.localeCompare(two.name));
  const ratios = measured.map(({ name, exponent }) => ({
    name: `${name}: exponent of the time`,
    value: exponent,
    bound: 1.1,
    unit: '',
  }));
  await report(import.meta.url, ratios, Object.assign({}, ...measured.map((one) => one.details)));
}

async function inOwnProcess(name: string): Promise<Measured> {
  const child = fork(fileURLToPath(import.meta.url), [name]);
  const told = once(child, 'message');
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the measuring of ${name} ended with ${code}`);
  });
  const [measured] = await Promise.race([told, ended]);
  return measured;
}

function tell(measured: Measured): void {
  if (process.send) process.send(measured);
  else process.stdout.write(`${JSON.stringify(measured, null, 2)}\n`);
}

function measure(parser: ToolCallParser): Measured {
  const details: Record<string, unknown> = {};
  let most = 0;
  for (const [kind, write] of Object.entries(hostileTexts(parser))) {
    for (const [way, read] of Object.entries(ways)) {
      const texts = [write(short), write(long)] as const;
      const [shortMs, longMs] = texts.map((text) => leastMs(() => read(parser, text))) as [
        number,
        number,
      ];
      const growth = texts[1].length / texts[0].length;
      const exponent = Math.log(longMs / shortMs) / Math.log(growth);
      const label = `${parser.name}, ${kind}, ${way}`;
      details[label] = {
        exponent: Number(exponent.toFixed(3)),
        nanosecondsACharacter: Number(((longMs * 1e6) / texts[1].length).toFixed(1)),
      };
      most = Math.max(most, exponent);
      if (exponent > 1.1)
        process.stdout.write(`${label}: ${exponent.toFixed(2)} (${longMs.toFixed(0)} ms)\n`);
    }
  }
  return { name: parser.name, exponent: most, details };
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

function leastMs(run: () => void): number {
  let least = Number.POSITIVE_INFINITY;
  const started = cpuMicroseconds();
  while (least === Number.POSITIVE_INFINITY || cpuMicroseconds() - started < budgetMs * 1000) {
    const begin = cpuMicroseconds();
    run();
    least = Math.min(least, (cpuMicroseconds() - begin) / 1000);
  }
  return least;
}
