import { expect, it } from 'vitest';
import { checkPolicy, imageKinds, withoutLimits } from '../src/core/policy.ts';
import { SandboxError, type SandboxSpec } from '../src/index.ts';
import { folderCapabilities } from './_hooked-driver.ts';

const base: SandboxSpec = { lifetimeMs: 1000, labels: {}, idempotencyKey: 'k' };

function codeOf(spec: Partial<SandboxSpec>, capabilities = folderCapabilities): string {
  try {
    checkPolicy({ ...base, ...spec }, capabilities, 'test');
    return 'accepted';
  } catch (cause) {
    return SandboxError.isInstance(cause) ? cause.code : String(cause);
  }
}

const bare = { ...folderCapabilities, users: false, root: false };

it.each<[string, Partial<SandboxSpec>]>([
  ['no network', { network: { mode: 'none' } }],
  ['an allow-list', { network: { mode: 'allowlist', hosts: ['example.org'] } }],
  ['a user', { user: 'nobody' }],
  ['root', { user: 'root' }],
  ['a read-only root', { readonlyRoot: true }],
  ['a mount', { mounts: [{ source: '/a', target: '/b', readOnly: true }] }],
  ['a port', { ports: [80] }],
  ['an image', { image: { kind: 'ref', ref: 'debian' } }],
  ['a snapshot', { image: { kind: 'snapshot', id: 's' } }],
  ['an absolute working directory', { workdir: '/app' }],
  ['a memory limit', { resources: { memoryBytes: 1 } }],
  ['a processor limit', { resources: { cpus: 1 } }],
  ['a process limit', { resources: { pids: 1 } }],
  ['a disk limit', { resources: { diskBytes: 1 } }],
  ['nesting', { nesting: true }],
  ['shared memory', { resources: { shmBytes: 1 } }],
  ['a GPU', { resources: { gpus: 'all' } }],
])('refuses %s that the provider cannot give', (_what, spec) => {
  expect(codeOf(spec, bare)).toBe('UNSUPPORTED');
});

it.each<[string, Partial<SandboxSpec>]>([
  ['nothing special', {}],
  ['an open network', { network: { mode: 'open' } }],
  ['empty lists', { ports: [], mounts: [] }],
  ['a relative working directory', { workdir: 'work' }],
])('accepts %s anywhere', (_what, spec) => {
  expect(codeOf(spec, bare)).toBe('accepted');
});

it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('refuses a lifetime of %d', (lifetimeMs) => {
  expect(codeOf({ lifetimeMs })).toBe('CONFIG');
});

it('names the limits that best effort does not meet, and asks no driver for them', () => {
  const limits = { ...folderCapabilities.resourceLimits, memory: true };
  const capabilities = { ...folderCapabilities, resourceLimits: limits };
  const resources = { cpus: 1, memoryBytes: 5, pids: 3, enforce: 'best_effort' } as const;
  const spec = { ...base, resources };
  const unmet = checkPolicy(spec, capabilities, 'test');
  expect(unmet).toEqual(['cpus', 'pids']);
  expect(withoutLimits(spec, unmet).resources).toEqual({ memoryBytes: 5, enforce: 'best_effort' });
});

it('takes images as "ref and build", or exactly the kinds that are named', () => {
  expect(imageKinds({ ...bare, images: true })).toEqual(['ref', 'build']);
  expect(imageKinds({ ...bare, imageKinds: ['sif'] })).toEqual(['sif']);
  expect(imageKinds(bare)).toEqual([]);
});
