import { randomUUID } from 'node:crypto';
import type { Effects } from '@hermes/protocol';
import type {
  LabelFilter,
  ReapPolicy,
  ReapReport,
  SandboxInfo,
  SandboxProvider,
  SandboxRef,
  SandboxSpec,
} from '../types.ts';
import { systemClock } from './_clock.ts';
import { cancelled, gone } from './_errors.ts';
import type { ScriptedCommands } from './_exec.ts';
import { fullLabels, matchesLabels, sandboxName } from './_labels.ts';
import { defaultWorkdir, memoryProviderId, memoryUser } from './_names.ts';
import { checkPolicy } from './_policy.ts';
import { createState, type MemoryState } from './_state.ts';
import { memoryCapabilities } from './capabilities.ts';
import { createMemorySandbox } from './memory-sandbox.ts';

export type MemoryProviderOptions = Readonly<{
  /** Answers by `argv[0]` or a script's first word; anything else is `not_started`. Default: none. */
  commands?: ScriptedCommands;
  /** Clock and id maker for tests; default: the machine's. */
  effects?: Partial<Pick<Effects, 'clock' | 'newId'>>;
}>;

/** Sandboxes without processes, for unit tests: real files in memory, scripted commands, real lifetimes. They live as long as the provider. */
export function createMemorySandboxProvider(options: MemoryProviderOptions = {}): SandboxProvider {
  const commands = options.commands ?? {};
  const clock = options.effects?.clock ?? systemClock;
  const newId = options.effects?.newId ?? ((prefix: string) => `${prefix}_${randomUUID()}`);
  const living = new Map<string, MemoryState>();

  const begin = (spec: SandboxSpec): MemoryState => {
    const info = infoOf(spec, clock.now().wallMs);
    const ref = refOf(spec, info, newId('sandbox'));
    const state = createState({ ref, info, spec, clock, onEnd: () => living.delete(ref.id) });
    living.set(ref.id, state);
    return state;
  };

  return {
    specificationVersion: 'v1',
    id: memoryProviderId,
    capabilities: memoryCapabilities,
    preflight: async () => ({ ok: true, problems: [], capabilities: memoryCapabilities }),
    create: async (spec, { signal, onProgress } = {}) => {
      if (signal?.aborted) throw cancelled('create');
      const state = sameKey(living, spec) ?? begin(spec);
      onProgress?.({ phase: 'ready' });
      return createMemorySandbox(state, commands);
    },
    attach: async (ref, signal) => {
      if (signal?.aborted) throw cancelled('attach');
      const state = living.get(ref.id);
      if (state === undefined) throw gone(ref.id, 'not found');
      return createMemorySandbox(state, commands);
    },
    list: (filter) => listRefs(living, filter),
    destroy: async (ref) => living.get(ref.id)?.end('destroyed'),
    reap: async (policy) => reapExpired(living, clock.now().wallMs, policy),
    close: async () => undefined,
  };
}

function infoOf(spec: SandboxSpec, nowMs: number): SandboxInfo {
  return {
    provider: memoryProviderId,
    image: null,
    imageDigest: null,
    workdir: spec.workdir ?? defaultWorkdir,
    user: memoryUser,
    isolation: memoryCapabilities.isolation,
    createdAtMs: nowMs,
    expiresAtMs: nowMs + spec.lifetimeMs,
    unmetLimits: checkPolicy(spec),
  };
}

function refOf(spec: SandboxSpec, info: SandboxInfo, id: string): SandboxRef {
  const labels = fullLabels(
    { ...spec.labels, 'hermes.key': spec.idempotencyKey },
    info.expiresAtMs,
  );
  return { provider: memoryProviderId, id, name: sandboxName(spec), labels };
}

function sameKey(
  living: ReadonlyMap<string, MemoryState>,
  spec: SandboxSpec,
): MemoryState | undefined {
  const isSame = ({ ref }: MemoryState) => ref.labels['hermes.key'] === spec.idempotencyKey;
  return [...living.values()].find(isSame);
}

async function* listRefs(
  living: ReadonlyMap<string, MemoryState>,
  filter: LabelFilter = {},
): AsyncGenerator<SandboxRef> {
  for (const { ref } of [...living.values()]) {
    if (matchesLabels(ref.labels, filter.labels)) yield ref;
  }
}

/** The owner is this very process, so only what has expired can go. */
function reapExpired(
  living: ReadonlyMap<string, MemoryState>,
  nowMs: number,
  policy: ReapPolicy = {},
): ReapReport {
  const removed: SandboxRef[] = [];
  const kept: SandboxRef[] = [];
  for (const state of [...living.values()]) {
    if (policy.runId !== undefined && state.ref.labels['hermes.run'] !== policy.runId) continue;
    const isExpired = state.expiresAtMs() <= nowMs;
    (isExpired ? removed : kept).push(state.ref);
    if (isExpired && !policy.dryRun) state.end('lifetime');
  }
  return { removed, kept, failed: [] };
}
