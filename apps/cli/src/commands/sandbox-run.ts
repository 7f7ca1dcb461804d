import { StringDecoder } from 'node:string_decoder';
import { createEffects } from '@hermes/env-core';
import { HermesError } from '@hermes/protocol';
import type {
  ExecResult,
  ImageSpec,
  NetworkPolicy,
  ProvisionEvent,
  Sandbox,
  SandboxSpec,
} from '@hermes/sandbox';
import type { CliContext, Output } from '../context.ts';
import type { DottedFlag } from '../dotted-flags.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { specDefaults } from '../sandboxes/builtin-providers.ts';
import { type SourceFlags, withProvider } from '../sandboxes/each-provider.ts';
import type { Labels } from '../sandboxes/list-sandboxes.ts';
import { readSandboxConfig, type SandboxConfig } from '../sandboxes/read-sandbox-config.ts';

/** The flags of `hermes sandbox run`. */
export interface RunFlags extends SourceFlags {
  readonly image?: string;
  readonly build?: string;
  readonly network?: string;
  readonly workdir?: string;
  readonly user?: string;
  readonly label?: Labels;
  readonly lifetime?: number;
  readonly timeout?: number;
  readonly interactive?: boolean;
}

type Words = readonly [string, ...string[]];

/** `hermes sandbox run`: a sandbox for one command, or one that is held until it ends or this command is interrupted. It is removed in the end. */
export async function runSandboxRun(
  words: readonly string[],
  flags: RunFlags,
  dotted: readonly DottedFlag[],
  context: CliContext,
): Promise<ExitCode> {
  const config = await readSandboxConfig(flags, dotted, context);
  const name = flags.sandbox ?? config.backend;
  const spec = { ...specDefaults(name, config.given, context), ...specOf(flags, config) };
  let code: ExitCode = exitCodes.ran;
  await withProvider(name, config, context, async (provider) => {
    const { signal } = context;
    const onProgress = (event: ProvisionEvent) => showProgress(event, context);
    await using sandbox = await provider.create(spec, { signal, onProgress });
    const [first, ...rest] = words;
    if (first === undefined) await hold(sandbox, flags, context);
    else code = await runWords(sandbox, [first, ...rest], flags, context);
    context.signal.throwIfAborted();
  });
  return code;
}

function specOf(flags: RunFlags, { limits }: SandboxConfig): SandboxSpec {
  const { image, network, workdir, user, label, lifetime = 3600 } = flags;
  const { newId } = createEffects();
  const runId = newId('run');
  return {
    ...imageOf(image, flags.build),
    ...(network === undefined ? {} : { network: policyOf(network) }),
    ...(workdir === undefined ? {} : { workdir }),
    ...(user === undefined ? {} : { user }),
    ...(Object.keys(limits).length === 0 ? {} : { resources: limits }),
    lifetimeMs: lifetime * 1000,
    labels: { 'hermes.run': runId, ...label },
    idempotencyKey: runId,
  };
}

function imageOf(ref: string | undefined, contextDir: string | undefined): { image?: ImageSpec } {
  if (ref !== undefined && contextDir !== undefined)
    throw wrong('--image and --build exclude each other');
  if (ref !== undefined) return { image: { kind: 'ref', ref } };
  return contextDir === undefined ? {} : { image: { kind: 'build', contextDir } };
}

function policyOf(mode: string): NetworkPolicy {
  if (mode === 'none' || mode === 'open') return { mode };
  throw wrong(`--network ${mode}: say none or open`);
}

function wrong(message: string): HermesError {
  return new HermesError('config', 'CONFIG', message);
}

function showProgress({ phase, message }: ProvisionEvent, { stderr }: CliContext): void {
  if (message !== undefined) stderr.write(`${phase}: ${message.trimEnd()}\n`);
}

/** Until the sandbox ends by itself or the command is interrupted. */
async function hold(sandbox: Sandbox, flags: RunFlags, context: CliContext): Promise<void> {
  const { ref, info } = sandbox;
  const text = flags.json === true ? JSON.stringify({ ref, info }) : (ref.name ?? ref.id);
  context.stdout.write(`${text}\n`);
  const end = AbortSignal.any([sandbox.gone, context.signal]);
  if (end.aborted) return;
  await new Promise((resolve) => end.addEventListener('abort', resolve, { once: true }));
}

async function runWords(
  sandbox: Sandbox,
  argv: Words,
  flags: RunFlags,
  context: CliContext,
): Promise<ExitCode> {
  const shown = { stdout: decoded(context.stdout), stderr: decoded(context.stderr) };
  const result = await sandbox.exec({
    command: { argv },
    timeoutMs: flags.timeout === undefined ? Number.POSITIVE_INFINITY : flags.timeout * 1000,
    signal: context.signal,
    ...(flags.interactive === true ? { stdin: context.stdin() } : {}),
    ...(flags.json === true ? {} : { onData: (chunk, stream) => shown[stream].write(chunk) }),
  });
  if (flags.json === true) context.stdout.write(`${JSON.stringify(jsonOf(sandbox, result))}\n`);
  for (const stream of Object.values(shown)) stream.end();
  return exitCodeOf(result, context);
}

/** Bytes as text; a character may be cut in two by chunks. */
function decoded(output: Output): { write(chunk: Uint8Array): void; end(): void } {
  const decoder = new StringDecoder('utf8');
  const put = (text: string) => {
    if (text !== '') output.write(text);
  };
  return {
    write: (chunk) => put(decoder.write(Buffer.from(chunk))),
    end: () => put(decoder.end()),
  };
}

function jsonOf({ ref, info }: Sandbox, result: ExecResult): object {
  const { stdout, stderr, ...rest } = result;
  return { ref, info, result: { ...rest, stdout: stdout.text(), stderr: stderr.text() } };
}

function exitCodeOf(result: ExecResult, { stderr }: CliContext): ExitCode {
  if (result.status === 'exited' && result.exitCode === 0) return exitCodes.ran;
  stderr.write(`hermes: the command ${howItEnded(result)}\n`);
  return exitCodes.runFailed;
}

function howItEnded(result: ExecResult): string {
  if (result.status === 'exited') return `ended with exit code ${result.exitCode}`;
  if (result.status === 'signaled') return `was ended by ${result.signal}`;
  if (result.status === 'not_started') return `could not be started: ${result.message}`;
  return `ended: ${result.status}`;
}
