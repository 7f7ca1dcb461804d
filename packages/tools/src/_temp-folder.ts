import type { Sandbox } from '@hermes/sandbox';

/** Where the sandbox keeps what nobody misses later. */
export async function tempFolder(sandbox: Sandbox, signal?: AbortSignal): Promise<string> {
  const { absolutePaths, shell } = sandbox.capabilities;
  if (absolutePaths || !shell) return '/tmp';
  const command = { script: 'printf %s "$TMPDIR"' };
  const request = { command, timeoutMs: 10_000 };
  const result = await sandbox.exec(signal === undefined ? request : { ...request, signal });
  const folder = new TextDecoder().decode(result.stdout.bytes).replace(/\/+$/, '');
  return folder.startsWith('/') ? folder : '/tmp';
}
