import { type Capabilities, SandboxError, type SandboxSpec } from '@hermes/sandbox';

/**
 * Refuses what this host cannot give, before anything exists. Returns the limits that are left out under
 * `enforce: 'best_effort'`; under `require` (the default) each of them is refused.
 */
export function refuseUnsupported(
  spec: SandboxSpec,
  capabilities: Capabilities,
): readonly string[] {
  const [first] = unsupportedPolicies(spec, capabilities.isolation !== 'none');
  if (first !== undefined) throw unsupported(first);
  const unmet = unmetLimits(spec.resources ?? {}, capabilities);
  if (unmet.length > 0 && spec.resources?.enforce !== 'best_effort') {
    throw unsupported(`resources.${unmet[0]} cannot be enforced here`);
  }
  return unmet;
}

/** The error for something that sandboxes on this machine cannot do. */
export function unsupported(what: string): SandboxError {
  return new SandboxError('UNSUPPORTED', 'request', `sandbox local: ${what}`);
}

function unsupportedPolicies(spec: SandboxSpec, isIsolated: boolean): readonly string[] {
  const mode = spec.network?.mode ?? 'open';
  const hasMounts = (spec.mounts ?? []).length > 0;
  const checks: [boolean, string][] = [
    [
      spec.image !== undefined,
      'there are no images; leave spec.image out, or use a provider that has them',
    ],
    [spec.user !== undefined, 'spec.user: every process runs as the one user of the sandbox'],
    [(spec.ports ?? []).length > 0, 'spec.ports: ports are not exposed'],
    [mode === 'allowlist', 'network allowlist; only none and open are offered'],
    [mode === 'none' && !isIsolated, 'network none needs isolation bubblewrap'],
    [hasMounts && !isIsolated, 'spec.mounts needs isolation bubblewrap'],
    [spec.readonlyRoot === true && !isIsolated, 'spec.readonlyRoot needs isolation bubblewrap'],
    [
      spec.readonlyRoot === true && spec.resources?.diskBytes !== undefined,
      'spec.readonlyRoot together with resources.diskBytes',
    ],
  ];
  return checks.flatMap(([isRefused, what]) => (isRefused ? [what] : []));
}

function unmetLimits(
  resources: NonNullable<SandboxSpec['resources']>,
  capabilities: Capabilities,
): readonly string[] {
  const can = capabilities.resourceLimits;
  const limits = [
    ['cpus', can.cpu],
    ['memoryBytes', can.memory],
    ['pids', can.pids],
    ['diskBytes', can.disk],
    ['shmBytes', capabilities.isolation !== 'none'],
    ['gpus', false],
  ] as const;
  return limits.flatMap(([name, isMet]) => (resources[name] !== undefined && !isMet ? [name] : []));
}
