import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sandbox, SandboxProvider, SandboxRef, SandboxSpec } from '../types.ts';
import type { CaseContext, ConformanceCase } from './conformance-case.ts';
import { runCase } from './run-case.ts';

/** A provider under test with the sandboxes that the cases opened on it. */
export type Kit = Readonly<{
  provider: SandboxProvider;
  /** Runs one case in its own folder and disposes what it opened. */
  run: (testCase: ConformanceCase) => Promise<void>;
  context: () => Promise<CaseContext>;
  /** What still bears this run's labels. */
  leaks: () => Promise<SandboxRef[]>;
  /** Disposes the shared sandbox. */
  disposeShared: () => Promise<void>;
  /** Destroys whatever is left, then closes the provider. */
  close: () => Promise<void>;
}>;

const lifetimeMs = 30 * 60_000;
const closingMs = 30_000;

/** Deadline of one case unless the caller says otherwise. */
export const defaultCaseTimeoutMs = 120_000;

/** Opens a provider for cases. The caller closes the kit. */
export async function openKit(
  open: () => Promise<SandboxProvider>,
  base: Partial<SandboxSpec> = {},
  caseTimeoutMs: number = defaultCaseTimeoutMs,
): Promise<Kit> {
  const provider = await open();
  const labels = { ...base.labels, 'hermes.run': randomUUID(), 'hermes.kit': randomUUID() };
  const spec = (overrides: Partial<SandboxSpec> = {}): SandboxSpec => ({
    lifetimeMs,
    ...base,
    ...overrides,
    labels: { ...labels, ...overrides.labels },
    idempotencyKey: overrides.idempotencyKey ?? randomUUID(),
  });
  const shared = createShared(() => provider.create(spec()));
  const contextFor = async (closers: Closer[]): Promise<CaseContext> => {
    const sandbox = await shared.get();
    return {
      provider,
      sandbox,
      capabilities: sandbox.capabilities,
      folder: `case-${randomUUID().slice(0, 8)}`,
      labels,
      spec,
      open: (overrides) => openTracked(provider, spec(overrides), closers),
      localFolder: () => makeLocalFolder(closers),
    };
  };
  return {
    provider,
    run: async (testCase) => {
      const closers: Closer[] = [];
      const run = async (): Promise<void> => runCase(testCase, await contextFor(closers));
      try {
        await within(caseTimeoutMs, testCase.name, run());
      } catch (error) {
        // What failed may have harmed the sandbox: the next case gets another one.
        closers.push(shared.dispose);
        throw error;
      } finally {
        await within(closingMs, 'closing what the case opened', closeAll(closers));
      }
    },
    context: () => contextFor([]),
    leaks: () => collect(provider.list({ labels })),
    disposeShared: shared.dispose,
    close: async () => {
      await shared.dispose();
      for (const ref of await collect(provider.list({ labels }))) await provider.destroy(ref);
      await provider.close();
    },
  };
}

type Closer = () => Promise<unknown>;

async function closeAll(closers: readonly Closer[]): Promise<void> {
  await Promise.all(closers.map((close) => close()));
}

/** Rejects when work takes longer; the work itself cannot be stopped from here. */
async function within(ms: number, what: string, work: Promise<void>): Promise<void> {
  const over = new AbortController();
  const late = sleep(ms, undefined, { signal: over.signal }).then(
    () => Promise.reject(new Error(`${what}: not done within ${ms / 1000} s`)),
    () => undefined,
  );
  try {
    await Promise.race([work, late]);
  } finally {
    over.abort();
  }
}

/** One sandbox for all cases, replaced when a case has killed it. */
function createShared(create: () => Promise<Sandbox>) {
  let current: Sandbox | null = null;
  const dispose = async (): Promise<void> => {
    const victim = current;
    current = null;
    await victim?.dispose('the kit is done');
  };
  const get = async (): Promise<Sandbox> => {
    if (current?.gone.aborted) await dispose();
    current ??= await create();
    return current;
  };
  return { get, dispose };
}

async function openTracked(
  provider: SandboxProvider,
  spec: SandboxSpec,
  closers: Closer[],
): Promise<Sandbox> {
  const sandbox = await provider.create(spec);
  closers.push(() => sandbox.dispose('the case is over'));
  return sandbox;
}

async function makeLocalFolder(closers: Closer[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hermes-kit-'));
  closers.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** All of an async iterable. */
export async function collect<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const all: Value[] = [];
  for await (const value of values) all.push(value);
  return all;
}
