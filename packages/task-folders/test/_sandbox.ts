import { createEffects } from '@hermes/env-core';
import { HermesError } from '@hermes/protocol';
import type { Sandbox, SandboxProvider } from '@hermes/sandbox';
import { createSandboxProvider as createDockerProvider } from '@hermes/sandbox-docker';
import { createSandboxProvider, type LocalSandboxSettings } from '@hermes/sandbox-local';
import { createSandboxProvider as createSlotProvider } from '@hermes/sandbox-slot-pool';
import { createToolContext, type ToolContext } from '@hermes/tools';
import { isExpected } from '@hermes/vitest-config/services';
import { readTaskFolder, type TaskFolder } from '../src/index.ts';
import { sandboxNeeds } from '../src/sandbox-needs.ts';
import { setupWorkspace } from '../src/setup-workspace.ts';
import { makeTask, temporaryFolder } from './_make-task.ts';
import { whenDone } from './_when-done.ts';

export type Isolation = 'bubblewrap' | 'none';

/** Both kinds of local sandbox, with and without absolute places of their own, as far as this machine shall have them. */
export const ISOLATIONS: readonly Isolation[] = isExpected('bubblewrap')
  ? ['bubblewrap', 'none']
  : ['none'];

const providers = new Map<Isolation, Promise<SandboxProvider>>();

/** A provider of real local sandboxes, one for a test file; it and its folder are gone afterwards. */
export function openProvider(isolation: Isolation): Promise<SandboxProvider> {
  const provider = providers.get(isolation) ?? openLocalProvider({ isolation });
  providers.set(isolation, provider);
  return provider;
}

/** A provider with these settings; it and its folder are gone after the file's tests. */
export async function openLocalProvider(settings: LocalSandboxSettings): Promise<SandboxProvider> {
  const rootDir = await temporaryFolder();
  return untilDone(await createSandboxProvider({ ...settings, rootDir }, CONTEXT));
}

/** A provider of containers, which are Debian unless a task says otherwise; it is closed after the file's tests. */
export async function openDockerProvider(): Promise<SandboxProvider> {
  return untilDone(await createDockerProvider({ image: 'hermes-test/debian:1' }, CONTEXT));
}

/** A provider of slots in one such container; it is closed after the file's tests. */
export async function openSlotProvider(): Promise<SandboxProvider> {
  const inner = { provider: 'docker', settings: { image: 'hermes-test/debian:1' } };
  const openProvider = (_name: string, settings: unknown) =>
    createDockerProvider(settings, CONTEXT);
  return untilDone(await createSlotProvider({ inner, maxSandboxes: 1 }, { openProvider }));
}

const CONTEXT: Parameters<typeof createSandboxProvider>[1] = {
  openProvider: async () => {
    throw new HermesError('config', 'CONFIG', 'no inner provider here');
  },
};

function untilDone(provider: SandboxProvider): SandboxProvider {
  whenDone(() => provider.close());
  return provider;
}

/** A task in a sandbox that is ready for the agent. */
export type StagedTask = Readonly<{ folder: TaskFolder; sandbox: Sandbox; tools: ToolContext }>;

let created = 0;

/** Reads a task, makes the sandbox it asks for and sets it up. */
export async function stage(
  isolation: Isolation,
  files: Readonly<Record<string, string | null>>,
): Promise<StagedTask> {
  const folder = await readTaskFolder(await makeTask(files));
  const provider = await openProvider(isolation);
  const {
    commands: _commands,
    capabilities: _needed,
    marks: _marks,
    ...spec
  } = sandboxNeeds(folder, provider.capabilities, folder.env);
  created += 1;
  const idempotencyKey = `staged-${process.pid}-${created}`;
  const sandbox = await provider.create({
    ...spec,
    lifetimeMs: 300_000,
    labels: {},
    idempotencyKey,
  });
  whenDone(() => sandbox.dispose());
  const effects = createEffects();
  const { signal } = new AbortController();
  const callTool = async () => {
    throw new HermesError('tool', 'UNKNOWN_TOOL', 'no tools here');
  };
  const tools = createToolContext({ sandbox, callTool, effects, signal });
  await setupWorkspace(folder, tools, effects.clock, signal);
  return { folder, sandbox, tools };
}

/** Runs a script as the agent would leave it behind; a script that fails fails the test. */
export async function agent(task: StagedTask, script: string): Promise<void> {
  const result = await task.tools.exec(script);
  if (result.status === 'exited' && result.exitCode === 0) return;
  throw new Error(`the agent's script: ${JSON.stringify(result.status)} ${result.stderr.text()}`);
}
