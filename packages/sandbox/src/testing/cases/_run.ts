import { expect } from 'vitest';
import type { ExecRequest, ExecResult, FileResult, Sandbox } from '../../types.ts';
import { codeOf } from '../run-case.ts';

/** Long enough for a loaded machine: reaching it is a failure, never a measurement. */
export const patienceMs = 60_000;

type Extras = Partial<Omit<ExecRequest, 'command'>>;

/** Runs a script in `sh`, asked for by name, so that a sandbox without a shell must refuse it. */
export function sh(sandbox: Sandbox, script: string, extras: Extras = {}): Promise<ExecResult> {
  return sandbox.exec({ command: { script, shell: 'sh' }, timeoutMs: patienceMs, ...extras });
}

/** Runs a program without a shell around it. */
export function run(
  sandbox: Sandbox,
  argv: readonly [string, ...string[]],
  extras: Extras = {},
): Promise<ExecResult> {
  return sandbox.exec({ command: { argv }, timeoutMs: patienceMs, ...extras });
}

/** Standard output of a script that must end with 0. */
export async function output(
  sandbox: Sandbox,
  script: string,
  extras: Extras = {},
): Promise<string> {
  const result = await sh(sandbox, script, extras);
  expectExit(result, 0);
  return result.stdout.text();
}

export function expectExit(result: ExecResult, exitCode: number): void {
  const { status } = result;
  const code = status === 'exited' ? result.exitCode : null;
  const seen = { status, exitCode: code };
  expect(seen, `stderr: ${result.stderr.text()}`).toEqual({ status: 'exited', exitCode });
}

/** The value of a file operation that must succeed. */
export function okValue<Value>(result: FileResult<Value>): Value {
  if (!result.ok) expect.fail(`${result.code} on ${result.path}`);
  return result.value;
}

/** The file code of an operation that must fail. */
export function fileCodeOf(result: FileResult<unknown>): string {
  return result.ok ? 'OK' : result.code;
}

/** Whether a program is installed in the sandbox. */
export async function has(sandbox: Sandbox, program: string): Promise<boolean> {
  const result = await sh(sandbox, `command -v ${program} >/dev/null 2>&1`);
  return result.status === 'exited' && result.exitCode === 0;
}

/** Awaits an operation that must throw, and gives the SandboxError's code. */
export async function thrownCode(operation: Promise<unknown>): Promise<string | null> {
  const error = await operation.then(
    () => expect.fail('the operation succeeded'),
    (thrown: unknown) => thrown,
  );
  const code = codeOf(error);
  if (code === 'UNSUPPORTED') throw error;
  return code;
}

export function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

export function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** Lets an operation run beside others: whoever awaits it later sees its failure, and a case that ends before leaves none unhandled. */
export function beside<Value>(operation: Promise<Value>): Promise<Value> {
  operation.catch(() => undefined);
  return operation;
}

/** The same bytes as a plain array: providers may hand out a Buffer, which is not equal to one. */
export function bytesOf(bytes: Uint8Array): Uint8Array {
  return Uint8Array.from(bytes);
}
