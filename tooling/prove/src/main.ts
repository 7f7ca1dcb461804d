/** `pnpm prove NAME`: the full run, kept in `proofs/NAME.md`. `--share`: the small share of it that every test run does, kept nowhere. */
import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Proof } from './proof.ts';
import { killResume } from './proofs/kill-resume.ts';
import { parsers } from './proofs/parsers.ts';

const proofs: readonly Proof[] = [killResume, parsers];
const root = fileURLToPath(new URL('../../..', import.meta.url));

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { share: { type: 'boolean' }, seed: { type: 'string' }, count: { type: 'string' } },
});
const proof = proofs.find((candidate) => candidate.name === positionals[0]);
if (proof === undefined) {
  process.stderr.write(`pnpm prove NAME [--seed N] [--count N] [--share]. There is:\n`);
  for (const { name, claim } of proofs) process.stderr.write(`  ${name}: ${claim}\n`);
  process.exit(2);
}

const seed = Number(values.seed ?? 1);
const count = Number(values.count ?? (values.share === true ? proof.shareCount : proof.fullCount));
const startedMs = Date.now();
const counts = await proof.run({
  seed,
  count,
  root,
  say: (line) => process.stdout.write(`${line}\n`),
});
const seconds = Math.round((Date.now() - startedMs) / 1000);
process.stdout.write(`${proof.name} holds: ${count} repetitions, seed ${seed}, ${seconds} s\n`);
if (values.share !== true) await keep(proof, { seed, repetitions: count, ...counts }, seconds);

async function keep(
  { name, claim }: Proof,
  counts: Readonly<Record<string, number | string>>,
  seconds: number,
): Promise<void> {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const lines = [
    `# ${name}`,
    '',
    claim,
    '',
    `| what | value |`,
    `|---|---|`,
    `| commit | ${git('rev-parse', 'HEAD')}${git('status', '--porcelain') === '' ? '' : ' (with changes)'} |`,
    ...Object.entries(counts).map(([key, value]) => `| ${key} | ${value} |`),
    `| duration | ${seconds} s |`,
    `| machine | ${cpus().length} cores, ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version} |`,
    `| again | \`pnpm prove ${name} --seed ${seed}\` |`,
    '',
  ];
  await mkdir(join(root, 'proofs'), { recursive: true });
  await writeFile(join(root, 'proofs', `${name}.md`), lines.join('\n'));
}
