import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import type { Counts, Proof } from './proof.ts';

/** What a full run came to. */
export type ProofRun = Readonly<{
  seed: number;
  count: number;
  seconds: number;
  commit: string;
  counts: Awaited<ReturnType<Proof['run']>>;
}>;

/** Writes `proofs/NAME.md`: what was shown, its counts, and how to show it again. */
export async function keepProof(
  root: string,
  { name, claim }: Proof,
  { seed, count, seconds, commit, counts }: ProofRun,
): Promise<void> {
  const sections: [string, Counts][] = [];
  const plain: Record<string, number | string> = {};
  for (const [key, value] of Object.entries(counts))
    if (typeof value === 'object') sections.push([key, value]);
    else plain[key] = value;
  const lines = [
    `# ${name}`,
    '',
    claim,
    '',
    ...table({
      commit,
      seed,
      repetitions: count,
      ...plain,
      duration: `${seconds} s`,
      machine: `${cpus().length} cores, ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`,
      again: `\`pnpm prove ${name} --seed ${seed}\``,
    }),
    ...sections.flatMap(([title, rows]) => ['', `## ${title}`, '', ...table(rows)]),
    '',
  ];
  await mkdir(join(root, 'proofs'), { recursive: true });
  await writeFile(join(root, 'proofs', `${name}.md`), lines.join('\n'));
}

function table(rows: Counts): readonly string[] {
  return [
    '| what | value |',
    '|---|---|',
    ...Object.entries(rows).map(([key, value]) => `| ${key} | ${value} |`),
  ];
}
