/** `pnpm prove NAME`: the full run, kept in `proofs/NAME.md`. `--share`: the small share of it that every test run does, kept nowhere. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { keepProof } from './keep-proof.ts';
import type { Proof } from './proof.ts';
import { engines } from './proofs/engines.ts';
import { killResume } from './proofs/kill-resume.ts';
import { parsers } from './proofs/parsers.ts';
import { processProof } from './proofs/process.ts';
import { serveProof } from './proofs/serve.ts';
import { slots } from './proofs/slots.ts';
import { trajectoryServer } from './proofs/trajectory-server.ts';

const proofs: readonly Proof[] = [
  engines,
  killResume,
  parsers,
  processProof,
  serveProof,
  slots,
  trajectoryServer,
];
const root = fileURLToPath(new URL('../../..', import.meta.url));

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    share: { type: 'boolean' },
    seed: { type: 'string' },
    count: { type: 'string' },
    processes: { type: 'string' },
  },
});
const proof = proofs.find((candidate) => candidate.name === positionals[0]);
if (proof === undefined) {
  process.stderr.write(
    `pnpm prove NAME [--seed N] [--count N] [--processes N] [--share]. There is:\n`,
  );
  for (const { name, claim } of proofs) process.stderr.write(`  ${name}: ${claim}\n`);
  process.exit(2);
}

const seed = Number(values.seed ?? 1);
const isShare = values.share === true;
const count = Number(values.count ?? (isShare ? proof.shareCount : proof.fullCount));
const commit = describeCommit();
const startedMs = Date.now();
const counts = await proof.run({
  seed,
  count,
  isShare,
  root,
  ...(values.processes !== undefined && { processes: Number(values.processes) }),
  say: (line) => process.stdout.write(`${line}\n`),
});
const seconds = Math.round((Date.now() - startedMs) / 1000);
process.stdout.write(`${proof.name} holds: ${count} repetitions, seed ${seed}, ${seconds} s\n`);
if (!isShare) await keepProof(root, proof, { seed, count, seconds, commit, counts });

/** What is proved: the code at the start of the run, which others may change while it goes on. */
function describeCommit(): string {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  return git('rev-parse', 'HEAD') + (git('status', '--porcelain') === '' ? '' : ' (with changes)');
}
