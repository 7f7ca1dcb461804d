import { readFile } from 'node:fs/promises';
import type { IdMaker, JsonObject } from '@hermes/protocol';
import type { ToolContext } from '@hermes/tools';
import { packageFile } from '../package-file.ts';
import type { ExtractedCode } from './extract-code.ts';
import type { CodeProblem } from './read-humaneval-row.ts';
import { type CheckOutcome, readOutcome } from './read-outcome.ts';

/** What one solution may use. cpuSeconds: of each of its processes. */
export type SolutionLimits = Readonly<{ cpuSeconds: number; wallMs: number; memoryMib: number }>;

/** Runs the judge in the sandbox, which runs the solution in a process of its own. */
export async function checkSolution(
  problem: CodeProblem,
  solution: ExtractedCode,
  limits: SolutionLimits,
  tools: ToolContext,
  newId: IdMaker,
): Promise<CheckOutcome> {
  const [wire, judge, runner] = await Promise.all(['wire', 'judge', 'solution'].map(readPython));
  const secret = `${newId('verdict')} `;
  const request = {
    secret,
    prompt: problem.prompt,
    test: problem.test,
    entryPoint: problem.entryPoint,
    program: `${wire}\n${runner}`,
    job: jobOf(problem, solution, limits),
  };
  const result = await tools.exec(
    { argv: ['python3', '-I', '-c', `${wire}\n${judge}`] },
    { timeoutMs: limits.wallMs, stdin: JSON.stringify(request) },
  );
  return readOutcome(result, { secret, canHide: tools.sandbox?.info.isolation !== 'none' });
}

function readPython(name: string): Promise<string> {
  return readFile(packageFile(`python/${name}.py`), 'utf8');
}

const MIB = 1024 * 1024;

function jobOf(
  { prompt, entryPoint }: CodeProblem,
  { code, isWhole }: ExtractedCode,
  { cpuSeconds, memoryMib }: SolutionLimits,
): JsonObject {
  return {
    entryPoint,
    sources: isWhole ? [prompt, code] : [`${prompt}${code}`],
    limits: {
      RLIMIT_CPU: [cpuSeconds, cpuSeconds + 1],
      RLIMIT_AS: [memoryMib * MIB, memoryMib * MIB],
      RLIMIT_FSIZE: [64 * MIB, 64 * MIB],
      RLIMIT_CORE: [0, 0],
    },
  };
}
