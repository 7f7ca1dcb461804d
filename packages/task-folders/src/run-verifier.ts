import type { ErroredCauses } from '@hermes/protocol';
import type { ExecResult, FileResult } from '@hermes/sandbox';
import type { ToolContext } from '@hermes/tools';
import type { VerifierPlaces } from './verifier-places.ts';

const TAIL_CHARS = 4000;
const MAX_LOG_BYTES = 4 * 1024 * 1024;

/** How the verifier's script is run. */
export type VerifierRun = Readonly<{
  testsSource: string;
  places: VerifierPlaces;
  env: Readonly<Record<string, string>>;
  user: string | null;
  timeoutMs: number;
  /** Shell lines that run before the script, for stand-ins on the PATH; '' = none. */
  prelude: string;
  /** adopt: what it leaves running is left to whoever ends the grading. */
  background: 'kill' | 'adopt';
}>;

/** The script ran to an end (its exit code decides nothing), or why not. log: stdout and stderr as they came, the middle of a long one left out. */
export type VerifierEnd = Readonly<{
  failure: Readonly<{ cause: ErroredCauses['verifier']; message: string }> | null;
  exitCode: number | null;
  log: string;
  logBytes: number;
}>;

/** Uploads the tests and runs test.sh in the working directory. */
export async function runVerifier(tools: ToolContext, run: VerifierRun): Promise<VerifierEnd> {
  const { places, env, user, timeoutMs } = run;
  const uploaded = await tools.upload(run.testsSource, places.testsDir);
  if (!uploaded.ok) return notRun('tests_upload', uploadMessage(uploaded));
  const result = await tools.exec(`${run.prelude}${START}`, {
    timeoutMs,
    cwd: places.workdir,
    maxOutputBytes: MAX_LOG_BYTES,
    background: run.background,
    env: { ...env, VERIFIER_DIR: places.verifierDir, TESTS_DIR: places.testsDir },
    ...(user === null ? {} : { user }),
  });
  await tools.write(`${places.verifierDir}/test-stdout.txt`, result.stdout.bytes);
  return ended(result, timeoutMs);
}

const START = `
chmod +x "$TESTS_DIR/test.sh" 2>/dev/null
exec bash "$TESTS_DIR/test.sh" 2>&1
`;

/** The last characters of the log, for a record. */
export function logTail(log: string): string {
  return log.length > TAIL_CHARS ? `...${log.slice(-TAIL_CHARS)}` : log;
}

function ended(result: ExecResult, timeoutMs: number): VerifierEnd {
  const log = result.stdout.text();
  const exitCode = result.status === 'exited' ? result.exitCode : null;
  return {
    failure: failureOf(result, timeoutMs),
    exitCode,
    log,
    logBytes: result.stdout.totalBytes,
  };
}

function failureOf(result: ExecResult, timeoutMs: number): VerifierEnd['failure'] {
  if (result.status === 'exited') return null;
  if (result.status === 'timeout')
    return {
      cause: 'verifier_timeout',
      message: `test.sh was not done after ${timeoutMs / 1000} s`,
    };
  if (result.status === 'not_started')
    return { cause: 'verifier_setup', message: `test.sh could not be started: ${result.message}` };
  const how = result.status === 'signaled' ? `signal ${result.signal}` : result.status;
  return { cause: 'verifier_crashed', message: `test.sh was ended by ${how}` };
}

function notRun(cause: ErroredCauses['verifier'], message: string): VerifierEnd {
  return { failure: { cause, message }, exitCode: null, log: '', logBytes: 0 };
}

function uploadMessage(result: Extract<FileResult<null>, { ok: false }>): string {
  return `the tests could not be uploaded to ${result.path}: ${result.code}`;
}
