import { readFile } from 'node:fs/promises';
import type { IdMaker, JsonObject } from '@hermes/protocol';
import type { ExecResult } from '@hermes/sandbox';
import type { ToolContext } from '@hermes/tools';
import { packageFile } from '../package-file.ts';
import type { ExtractedCode } from './extract-code.ts';
import type { CodeProblem } from './read-humaneval-row.ts';

/** What one solution may use. cpuSeconds: of each of its processes. */
export type SolutionLimits = Readonly<{ cpuSeconds: number; wallMs: number; memoryMib: number }>;

/** passed, or why not; or why nobody can tell. */
export type CheckOutcome =
  | Readonly<{ kind: 'passed' | 'failed'; text: string }>
  | Readonly<{ kind: 'not_checked'; cause: NotChecked; text: string }>;

type NotChecked = 'verifier_setup' | 'verifier_timeout' | 'item_invalid';

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
  const isShared = tools.sandbox?.info.isolation === 'none';
  return outcomeOf(reportsIn(result, secret), result, limits, isShared);
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
      RLIMIT_CPU: cpuSeconds,
      RLIMIT_AS: memoryMib * MIB,
      RLIMIT_FSIZE: 64 * MIB,
      RLIMIT_CORE: 0,
    },
  };
}

type Report = Readonly<{ kind: string; text: string }>;

function reportsIn(result: ExecResult, secret: string): readonly Report[] {
  const lines = result.stdout.text().split('\n');
  return lines
    .filter((line) => line.startsWith(secret))
    .map((line) => JSON.parse(line.slice(secret.length)) as Report);
}

/** After the judge has started only the solution can be why it gave no verdict: the tests are known to end. */
function outcomeOf(
  [started, verdict]: readonly Report[],
  result: ExecResult,
  limits: SolutionLimits,
  isShared: boolean,
): CheckOutcome {
  if (started === undefined) return notStarted(result);
  if (started.text !== 'hidden' && !isShared)
    return notChecked('verifier_setup', 'the sandbox lets a solution look into its judge');
  if (verdict === undefined) return { kind: 'failed', text: endOf(result, limits) };
  if (verdict.kind === 'broken') return notChecked('item_invalid', verdict.text);
  return { kind: verdict.kind === 'passed' ? 'passed' : 'failed', text: verdict.text };
}

function notStarted(result: ExecResult): CheckOutcome {
  if (result.status === 'timeout')
    return notChecked('verifier_timeout', 'python3 did not start in time');
  const said = result.status === 'not_started' ? result.message : result.stderr.text().slice(-500);
  return notChecked('verifier_setup', `python3 did not start: ${said.trim() || result.status}`);
}

function endOf(result: ExecResult, { wallMs }: SolutionLimits): string {
  if (result.status === 'timeout') return `not done after ${wallMs / 1000} s`;
  if (result.status === 'oom') return 'out of memory';
  return 'the solution ended its judge';
}

function notChecked(cause: NotChecked, text: string): CheckOutcome {
  return { kind: 'not_checked', cause, text };
}
