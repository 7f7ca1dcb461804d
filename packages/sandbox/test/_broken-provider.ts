import type {
  Capabilities,
  ExecResult,
  FileResult,
  Sandbox,
  SandboxProvider,
  SandboxSpec,
} from '../src/index.ts';

/** What a sandbox does otherwise than the real one that it is given. */
export type Fault = (sandbox: Sandbox) => Partial<Sandbox>;

/** A real provider whose sandboxes do one thing wrong, or claim what they are not. */
export function breakProvider(
  provider: SandboxProvider,
  fault: Fault,
  claims: Partial<Capabilities> = {},
): SandboxProvider {
  return {
    ...provider,
    create: async (spec, options) => {
      const sandbox = await provider.create(
        claims.networkNone ? withoutNetwork(spec) : spec,
        options,
      );
      const capabilities = { ...sandbox.capabilities, ...claims };
      return overlay(sandbox, { capabilities, ...fault(sandbox) });
    },
  };
}

/** A fault in the results of exec. */
export function onResult(change: (result: ExecResult) => ExecResult): Fault {
  return (sandbox) => ({ exec: async (request) => change(await sandbox.exec(request)) });
}

export function wrongExitCode(result: ExecResult): ExecResult {
  return result.status === 'exited' ? { ...result, exitCode: result.exitCode + 1 } : result;
}

export function lostByte(result: ExecResult): ExecResult {
  const bytes = result.stdout.bytes.subarray(0, -1);
  return { ...result, stdout: { ...result.stdout, bytes, text: () => decode(bytes) } };
}

export function throughText(result: ExecResult): ExecResult {
  const bytes = new TextEncoder().encode(result.stdout.text());
  return { ...result, stdout: { ...result.stdout, bytes } };
}

export function uncounted(result: ExecResult): ExecResult {
  const { stdout } = result;
  return {
    ...result,
    stdout: { ...stdout, totalBytes: stdout.bytes.length, text: () => stdout.text() },
  };
}

export function asExit(result: ExecResult): ExecResult {
  if (result.status === 'exited') return result;
  const { stdout, stderr, leftover, timing, usage, cwdAfter } = result;
  return { status: 'exited', exitCode: 137, stdout, stderr, leftover, timing, usage, cwdAfter };
}

/** Writes behind what is there instead of in its place. */
export async function appendTo(
  sandbox: Sandbox,
  path: string,
  data: Uint8Array | string | AsyncIterable<Uint8Array>,
): Promise<FileResult<null>> {
  const old = await sandbox.files.read(path);
  const before = old.ok ? decode(old.value) : '';
  return sandbox.files.write(path, typeof data === 'string' ? before + data : data);
}

function withoutNetwork({ network: _, ...spec }: SandboxSpec): SandboxSpec {
  return spec;
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** The sandbox with some members replaced; its other methods keep their own `this`. */
function overlay(sandbox: Sandbox, changes: Partial<Sandbox>): Sandbox {
  return new Proxy(sandbox, {
    get: (target, key) => {
      if (Object.hasOwn(changes, key)) return Reflect.get(changes, key);
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
