import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { type Clock, HermesError } from '@hermes/protocol';
import { type Sandbox, SandboxError } from '@hermes/sandbox';
import type { ToolContext } from '@hermes/tools';
import type { CopiedFile, Healthcheck, TaskFolder } from './types.ts';
import { rootWherePossible } from './verifier-places.ts';

/** Readies a new sandbox: the format's log folders, what a Dockerfile copies where no image was used, the health check. */
export async function setupWorkspace(
  folder: TaskFolder,
  tools: ToolContext,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const { sandbox } = tools;
  if (sandbox === null) return;
  if (sandbox.capabilities.absolutePaths) await makeLogFolders(tools, sandbox);
  if (sandbox.info.image === null) await applyDockerfile(folder, tools, sandbox);
  if (folder.healthcheck !== null) await waitUntilHealthy(folder.healthcheck, tools, clock, signal);
}

async function makeLogFolders(tools: ToolContext, sandbox: Sandbox): Promise<void> {
  const folders = '/logs/agent /logs/verifier /logs/artifacts';
  const result = await tools.exec(`mkdir -p ${folders} && chmod 777 ${folders}`, {
    cwd: '/',
    ...rootWherePossible(sandbox),
  });
  if (result.status !== 'exited' || result.exitCode !== 0)
    throw setupFailed(
      `${folders} could not be made: ${result.stderr.text().trim() || result.status}`,
    );
}

async function applyDockerfile(
  folder: TaskFolder,
  tools: ToolContext,
  sandbox: Sandbox,
): Promise<void> {
  const { dockerfile } = folder;
  if (dockerfile?.kind !== 'simple') return;
  const place = (path: string): string =>
    sandbox.capabilities.absolutePaths ? path : posix.relative(dockerfile.workdir, path);
  await makeFolders(dockerfile.directories.map(place).filter(isInside), tools, sandbox);
  for (const file of dockerfile.files) await copy(file, place(file.path), tools);
}

/** Parents of the working directory are the sandbox's own business. */
function isInside(path: string): boolean {
  return path !== '' && !path.startsWith('..');
}

async function makeFolders(
  folders: readonly string[],
  tools: ToolContext,
  sandbox: Sandbox,
): Promise<void> {
  if (folders.length === 0) return;
  const command = { argv: ['mkdir', '-p', '--', ...folders] } as const;
  const result = await tools.exec(command, { cwd: sandbox.info.workdir });
  if (result.status === 'exited' && result.exitCode === 1) throw needsImage(folders.join(' '));
  if (result.status !== 'exited' || result.exitCode !== 0)
    throw setupFailed(`folders of the Dockerfile: ${result.stderr.text().trim() || result.status}`);
}

async function copy(file: CopiedFile, path: string, tools: ToolContext): Promise<void> {
  const written = await tools.write(path, await readFile(file.source), { mode: file.mode });
  if (written.ok) return;
  if (written.code === 'PERMISSION') throw needsImage(path);
  throw setupFailed(`COPY to ${path}: ${written.code}`);
}

async function waitUntilHealthy(
  check: Healthcheck,
  tools: ToolContext,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const startedAtMs = clock.now().monoMs;
  for (let failures = 0; failures < check.retries; ) {
    const result = await tools.exec(check.command, { timeoutMs: check.timeoutMs });
    if (result.status === 'exited' && result.exitCode === 0) return;
    const isStarting = clock.now().monoMs - startedAtMs < check.startPeriodMs;
    if (!isStarting) failures += 1;
    if (failures < check.retries)
      await clock.sleep(isStarting ? check.startIntervalMs : check.intervalMs, signal);
  }
  throw setupFailed(`the health check failed ${check.retries} times: ${check.command}`);
}

/** Places such as /usr are the sandbox's own where there are no images. */
function needsImage(path: string): SandboxError {
  const message = `the Dockerfile copies to ${path}, which cannot be written here; it needs a sandbox provider whose capabilities include images`;
  return new SandboxError('UNSUPPORTED', 'request', message);
}

function setupFailed(message: string): HermesError {
  return new HermesError('environment', 'SETUP_FAILED', message);
}
