import { createHash } from 'node:crypto';
import type { Effects } from '@hermes/protocol';
import { cancelledError, goneError } from '../core/errors.ts';
import { LABEL, matchesLabels, sandboxLabels } from '../core/labels.ts';
import { type Owner, thisOwner } from '../core/owner.ts';
import { checkPolicy } from '../core/policy.ts';
import { reapSandboxes } from '../core/reap.ts';
import { systemEffects } from '../core/system-effects.ts';
import type {
  LabelFilter,
  SandboxInfo,
  SandboxProvider,
  SandboxRef,
  SandboxSpec,
} from '../types.ts';
import type { ScriptedCommands } from './_exec.ts';
import { createState, type MemoryState } from './_state.ts';
import { memoryCapabilities } from './capabilities.ts';
import { createMemorySandbox } from './memory-sandbox.ts';

export type MemoryProviderOptions = Readonly<{
  /** Answers by `argv[0]` or a script's first word; anything else is `not_started`. Default: none. */
  commands?: ScriptedCommands;
  /** Clock and id maker for tests; default: the machine's. */
  effects?: Partial<Pick<Effects, 'clock' | 'newId'>>;
}>;

type Living = Map<string, MemoryState>;

const providerId = 'memory';
const user = 'memory';
const defaultWorkdir = '/workspace';

/** Sandboxes without processes, for unit tests: real files in memory, scripted commands, real lifetimes. They live as long as the provider. */
export function createMemorySandboxProvider(options: MemoryProviderOptions = {}): SandboxProvider {
  const commands = options.commands ?? {};
  const { clock, newId } = systemEffects(options.effects);
  const living: Living = new Map();
  /** Names of the living, since a name stands for an idempotency key. */
  const ids = new Map<string, string>();
  const nowMs = (): number => clock.now().wallMs;
  let owner: Owner | null = null;

  const begin = (spec: SandboxSpec, name: string): MemoryState => {
    const info = infoOf(spec, nowMs());
    owner ??= thisOwner(); // asked of the system, and always the same
    const id = newId('sandbox');
    const labels = sandboxLabels(spec.labels, owner, nowMs(), spec.lifetimeMs);
    const onEnd = (): void => {
      living.delete(id);
      ids.delete(name);
    };
    const ref = { provider: providerId, id, name, labels };
    const state = createState({ ref, info, spec, clock, onEnd });
    living.set(id, state);
    ids.set(name, id);
    return state;
  };
  const list = (filter?: LabelFilter) => listRefs(living, filter);
  const destroy = async (ref: SandboxRef) => living.get(ref.id)?.end('destroyed');

  return {
    specificationVersion: 'v1',
    id: providerId,
    capabilities: memoryCapabilities,
    preflight: async () => ({ ok: true, problems: [], capabilities: memoryCapabilities }),
    create: async (spec, { signal, onProgress } = {}) => {
      if (signal?.aborted) throw cancelledError('create a sandbox in memory');
      const name = nameOf(spec);
      const state = living.get(ids.get(name) ?? '') ?? begin(spec, name);
      onProgress?.({ phase: 'ready' });
      return createMemorySandbox(state, commands);
    },
    attach: async (ref, signal) => {
      if (signal?.aborted) throw cancelledError(`attach to sandbox ${ref.id}`);
      const state = living.get(ref.id);
      if (state === undefined) throw goneError(`attach to sandbox ${ref.id}: it is not there`);
      return createMemorySandbox(state, commands);
    },
    list,
    destroy,
    reap: (policy) => reapSandboxes({ list, destroy, nowMs }, policy),
    close: async () => undefined,
  };
}

function infoOf(spec: SandboxSpec, nowMs: number): SandboxInfo {
  return {
    provider: providerId,
    image: null,
    imageDigest: null,
    workdir: spec.workdir ?? defaultWorkdir,
    user,
    isolation: memoryCapabilities.isolation,
    createdAtMs: nowMs,
    expiresAtMs: nowMs + spec.lifetimeMs,
    unmetLimits: checkPolicy(spec, memoryCapabilities, providerId),
  };
}

/** `hermes-<run8>-<8 hex of the key>`: the same request has the same name. */
function nameOf({ labels, idempotencyKey }: SandboxSpec): string {
  const run = (labels[LABEL.run] ?? 'none').replace(/[^a-zA-Z0-9]/g, '').slice(0, 8);
  const key = createHash('sha256').update(idempotencyKey).digest('hex').slice(0, 8);
  return `hermes-${run}-${key}`;
}

/** The expiry label follows a longer life, so that the reaper spares it. */
async function* listRefs(living: Living, filter: LabelFilter = {}): AsyncGenerator<SandboxRef> {
  for (const { ref, expiresAtMs } of [...living.values()]) {
    const expires = String(Math.ceil(expiresAtMs() / 1000));
    const labels = { ...ref.labels, [LABEL.expires]: expires };
    if (matchesLabels(labels, filter.labels)) yield { ...ref, labels };
  }
}
