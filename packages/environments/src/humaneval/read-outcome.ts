import type { ExecResult } from '@hermes/sandbox';

/** passed, or why not; or why nobody can tell. */
export type CheckOutcome =
  | Readonly<{ kind: 'passed' | 'failed'; text: string }>
  | Readonly<{ kind: 'not_checked'; cause: NotChecked; text: string }>;

type NotChecked = 'verifier_setup' | 'verifier_timeout' | 'item_invalid';

/** secret: what the judge's lines start with. canHide: whether the sandbox can keep the judge out of the solution's reach. */
export type JudgeSetting = Readonly<{ secret: string; canHide: boolean }>;

/** After the judge has started only the solution can be why it gave no verdict: the tests are known to end. */
export function readOutcome(result: ExecResult, { secret, canHide }: JudgeSetting): CheckOutcome {
  const [started, verdict] = reportsIn(result, secret);
  if (started === undefined) return notStarted(result);
  if (started.text !== 'hidden' && canHide)
    return notChecked(
      'verifier_setup',
      'a solution could look into its judge here: the sandbox needs Linux and a python3 with ctypes',
    );
  if (verdict === undefined) return { kind: 'failed', text: endOf(result) };
  if (verdict.kind === 'broken') return notChecked('item_invalid', verdict.text);
  return { kind: verdict.kind === 'passed' ? 'passed' : 'failed', text: verdict.text };
}

type Report = Readonly<{ kind: string; text: string }>;

function reportsIn(result: ExecResult, secret: string): readonly Report[] {
  const lines = result.stdout.text().split('\n');
  return lines
    .filter((line) => line.startsWith(secret))
    .map((line) => JSON.parse(line.slice(secret.length)) as Report);
}

function notStarted(result: ExecResult): CheckOutcome {
  if (result.status === 'timeout')
    return notChecked('verifier_timeout', 'python3 did not start in time');
  const said = result.status === 'not_started' ? result.message : result.stderr.text().slice(-500);
  return notChecked('verifier_setup', `python3 did not start: ${said.trim() || result.status}`);
}

function endOf({ status, timing }: ExecResult): string {
  if (status === 'timeout') return `timed out after ${Math.round(timing.wallMs / 1000)} s`;
  return status === 'oom' ? 'out of memory' : 'the solution ended its judge';
}

function notChecked(cause: NotChecked, text: string): CheckOutcome {
  return { kind: 'not_checked', cause, text };
}
