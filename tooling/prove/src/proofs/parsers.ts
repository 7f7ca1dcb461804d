import { strict as assert } from 'node:assert';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { createProgress, type Progress } from '../progress.ts';
import type { Proof, ProofOptions } from '../proof.ts';
import { batchSize, type Report, type Work } from './parsers-batches.ts';

/** A process that says nothing for so long hangs: a batch takes a second or two. */
const silenceMs = 120_000;
/** More would mean that memory is not bounded by the inputs, which are small. */
const heapMib = 256;

export const parsers: Proof = {
  name: 'parsers',
  claim:
    'Every tool-call parser reads written messages, mutated ones and noise without an error, a hang or growing memory. A stream cut anywhere, in both deliveries, and its events give the result of one piece; ' +
    'arguments are always JSON objects; no text is lost or doubled.',
  fullCount: 10_000_000,
  shareCount: 120_000,
  async run({ seed, count, root, processes = availableParallelism(), say }: ProofOptions) {
    const batches = Math.ceil(count / batchSize);
    const progress = createProgress(batches * batchSize, 'inputs', say);
    const done = await Promise.all(
      Array.from({ length: processes }, (_, first) =>
        runWorker({ root, seed, batches, first, step: processes }, progress, say),
      ),
    );
    return {
      inputs: done.reduce((sum, report) => sum + report.inputs, 0),
      formats: Math.max(...done.map((report) => report.formats)),
      'inputs that were read wrongly': 0,
    };
  },
};

async function runWorker(
  work: Work,
  progress: Progress,
  say: (line: string) => void,
): Promise<Report> {
  const child = fork(fileURLToPath(new URL('./parsers-batches.ts', import.meta.url)), {
    execArgv: [...process.execArgv, `--max-old-space-size=${heapMib}`],
  });
  const exited = once(child, 'exit');
  const report = watch(child, progress, say);
  child.send(work);
  const [code, signal] = await exited;
  assert.equal(code, 0, `a fuzzing process ended with ${code ?? signal}`);
  return report();
}

/** Tells how far the child is, kills it when it hangs, and remembers its last report. */
function watch(child: ChildProcess, progress: Progress, say: (line: string) => void): () => Report {
  let report: Report = { inputs: 0, formats: 0 };
  const kill = (): void => {
    say(`no sign of life for ${silenceMs / 1000} s after ${report.inputs} inputs`);
    child.kill('SIGKILL');
  };
  let timer = setTimeout(kill, silenceMs);
  child.on('message', (message: Report) => {
    clearTimeout(timer);
    timer = setTimeout(kill, silenceMs);
    progress.add(message.inputs - report.inputs);
    report = message;
    if (report.failure !== undefined) say(report.failure);
  });
  child.on('exit', () => clearTimeout(timer));
  return () => report;
}
