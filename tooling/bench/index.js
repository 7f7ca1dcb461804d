import { writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';

const warmUpRounds = 3;

export async function interleave(variants, rounds) {
  const samples = new Map(variants.map(({ name }) => [name, []]));
  for (let round = -warmUpRounds; round < rounds; round += 1) {
    for (const { name, run, settle } of variants) {
      const startedMs = performance.now();
      const result = await run();
      const elapsedMs = performance.now() - startedMs;
      if (result === undefined) throw new Error(`${name} returned nothing`);
      await settle?.(result);
      if (round >= 0) samples.get(name).push(elapsedMs);
    }
  }
  return Object.fromEntries([...samples].map(([name, values]) => [name, timingOf(values)]));
}

function timingOf(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return { minMs: sorted[0], medianMs: sorted[Math.floor(sorted.length / 2)] };
}

export async function report(benchmarkUrl, ratios, details) {
  const lines = ratios.map(judge);
  for (const line of lines)
    process.stdout.write(
      `${line.isMet ? 'ok  ' : 'MISS'} ${line.name}: ${line.value}${line.unit} (${line.direction === 'at_least' ? 'at least' : 'at most'} ${line.bound}${line.unit})\n`,
    );
  const measuredOn = {
    node: process.version,
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    load: loadavg()[0],
  };
  const file = fileURLToPath(benchmarkUrl).replace(/\.\w+$/, '.json');
  await writeFile(file, `${JSON.stringify({ ratios: lines, details, measuredOn }, null, 2)}\n`);
  if (lines.some((line) => !line.isMet)) process.exitCode = 1;
}

function judge({ name, value, bound, direction = 'at_most', unit = 'x' }) {
  const isMet = direction === 'at_most' ? value <= bound : value >= bound;
  return { name, value: Number(value.toPrecision(3)), bound, direction, unit, isMet };
}
