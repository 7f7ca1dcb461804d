import type { JsonObject } from '@hermes/protocol';
import type { ResourceLimits } from '@hermes/sandbox';
import { field, type Theme, theme, unread } from './_fields.ts';
import { decimal, flag, nullable, text } from './_kinds.ts';
import { object } from './_structures.ts';

/** Section `env`: where commands run. */
export type SandboxSettings = Readonly<{
  terminalBackend: string;
  /** Key `sandbox`: the provider's own settings, unchecked; null = none. */
  sandboxSettings: JsonObject | null;
  /** false: also what isolates nothing may run what a model writes. */
  requireSandbox: boolean;
  /** Keys `container_*`: limits of sandboxes whose item has none of its own. */
  containerLimits: Pick<ResourceLimits, 'cpus' | 'memoryBytes' | 'diskBytes'>;
  terminalTimeoutMs: number;
  /** The longest time that a model may ask for a command. */
  maxForegroundMs: number;
  terminalIdleMs: number;
}>;

/** Its keys. */
export const sandboxKeys: Theme<SandboxSettings> = theme(
  {
    terminal_backend: field(
      text('local'),
      'local',
      'the sandbox provider: a name, a package or a path',
    ),
    sandbox: field(
      nullable(object('{ rootDir: /var/tmp/boxes }')),
      null,
      'settings of the provider, as its package names them',
    ),
    require_sandbox: field(flag(), true, 'false: what a model writes may run without isolation'),
    container_cpu: field(
      nullable(decimal(0.001)),
      null,
      'processors of a sandbox whose task does not say',
    ),
    container_memory: field(
      nullable(decimal(1)),
      null,
      'MiB of memory of a sandbox whose task does not say',
    ),
    container_disk: field(
      nullable(decimal(1)),
      null,
      'MiB of disk of a sandbox whose task does not say',
    ),
    terminal_timeout: field(decimal(1), 120, 'seconds of one command'),
    terminal_max_foreground_timeout: field(
      decimal(1),
      600,
      'the longest time that a model may ask for a command',
    ),
    terminal_lifetime: field(decimal(1), 3600, 'seconds without use before a sandbox is removed'),
    terminal_cwd: unread(nullable(text('/app')), null, 'where commands start: the task says'),
    container_persistent: unread(flag(), false, 'sandboxes that outlive their rollout'),
  },
  (values) => ({
    terminalBackend: values.terminal_backend,
    sandboxSettings: values.sandbox,
    requireSandbox: values.require_sandbox,
    containerLimits: limitsOf(values),
    terminalTimeoutMs: values.terminal_timeout * 1000,
    maxForegroundMs: values.terminal_max_foreground_timeout * 1000,
    terminalIdleMs: values.terminal_lifetime * 1000,
  }),
);

const MIB = 1024 * 1024;

function limitsOf(values: {
  readonly container_cpu: number | null;
  readonly container_memory: number | null;
  readonly container_disk: number | null;
}): SandboxSettings['containerLimits'] {
  const { container_cpu: cpus, container_memory: memory, container_disk: disk } = values;
  return {
    ...(cpus === null ? {} : { cpus }),
    ...(memory === null ? {} : { memoryBytes: Math.round(memory * MIB) }),
    ...(disk === null ? {} : { diskBytes: Math.round(disk * MIB) }),
  };
}
