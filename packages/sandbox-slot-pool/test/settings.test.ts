import { describe, expect, it } from 'vitest';
import { parseSlotPoolSettings } from '../src/settings.ts';

describe('settings', () => {
  it('have defaults: ten slots in each container of docker', () => {
    expect(parseSlotPoolSettings({})).toMatchObject({
      inner: { provider: 'docker', settings: {} },
      ...{ slotsPerSandbox: 10, minSandboxes: 1, maxSandboxes: 10, network: 'none', ids: 'own' },
      slot: { pids: 1024 },
    });
  });

  it.each([
    [{ slotPerSandbox: 3 }, "unknown setting 'slotPerSandbox'. Did you mean 'slotsPerSandbox'?"],
    [{ slotsPerSandbox: 0 }, "'slotsPerSandbox'"],
    [{ slotsPerSandbox: '3' }, "'slotsPerSandbox'"],
    [{ inner: { provider: '' } }, "'inner.provider'"],
    [{ inner: { provider: 'docker', image: 'x' } }, "'inner'"],
    [{ slot: { memory: 1 } }, "'slot'"],
    [{ minSandboxes: 3, maxSandboxes: 2 }, "'minSandboxes': 3 is more than maxSandboxes, 2"],
    [{ workdir: 'app' }, "'workdir': give an absolute path"],
    [[], 'settings must be an object'],
  ])('%j are refused by the name of the key', (raw, message) => {
    expect(() => parseSlotPoolSettings(raw)).toThrow(message);
  });
});

describe('the fields of the original', () => {
  it('of a pool of containers are understood, as text too', () => {
    const fields = {
      ...{
        tool_pool_mode: 'default',
        slots_per_container: '4',
        min_containers: 2,
        max_containers: 5,
      },
      ...{ acquire_timeout_s: 45, allow_network: false, require_sandbox: true, privileged: false },
      ...{ driver: 'docker', singularity_image: null, sandbox_image: 'atropos-sandbox:local' },
      ...{ purge_job_on_start: true, purge_job_on_shutdown: true, modal_slots_per_sandbox: 99 },
    };
    expect(parseSlotPoolSettings(fields)).toMatchObject({
      inner: { provider: 'docker', settings: { image: 'atropos-sandbox:local' } },
      ...{ slotsPerSandbox: 4, minSandboxes: 2, maxSandboxes: 5, acquireTimeoutMs: 45_000 },
      ...{ network: 'none', reapOnStart: true },
    });
  });

  it('of a pool at Modal count only there', () => {
    const fields = {
      ...{ tool_pool_mode: 'modal', slots_per_container: 99, modal_slots_per_sandbox: 6 },
      ...{ modal_min_sandboxes: 1, modal_max_sandboxes: 7, modal_idle_timeout: 120 },
      ...{ modal_max_lifetime: 3600, modal_acquire_timeout: 60, modal_execution_timeout: 30 },
      ...{ modal_cpu: 1.5, modal_memory: 2048, modal_gpu: 'T4', modal_image: 'python:3.11' },
      ...{ modal_app_name: 'None', modal_workspace_base: '/data' },
    };
    expect(parseSlotPoolSettings(fields)).toMatchObject({
      inner: { provider: 'modal', settings: { image: 'python:3.11' } },
      ...{ slotsPerSandbox: 6, maxSandboxes: 7, idleMs: 120_000, maxAgeMs: 3_600_000 },
      sandbox: { cpus: 1.5, memoryBytes: 2048 * 1024 ** 2, gpus: 'T4' },
      workdir: '/data',
    });
  });

  it('give way to ours, and complete an inner provider that is named', () => {
    const inner = { provider: 'ssh', settings: { host: 'example.org' } };
    const fields = { inner, slotsPerSandbox: 3, slots_per_container: 8, sandbox_image: 'x' };
    expect(parseSlotPoolSettings(fields)).toMatchObject({
      inner: { provider: 'ssh', settings: { host: 'example.org', image: 'x' } },
      slotsPerSandbox: 3,
    });
  });

  it('name the provider of settings that name none', () => {
    const fields = { tool_pool_mode: 'ssh', inner: { settings: { host: 'example.org' } } };
    expect(parseSlotPoolSettings(fields).inner).toEqual({
      provider: 'ssh',
      settings: { host: 'example.org' },
    });
  });

  it('name another provider by the driver or the mode', () => {
    const driver = { driver: 'singularity', singularity_image: 'box.sif' };
    expect(parseSlotPoolSettings(driver).inner).toEqual({
      provider: 'singularity',
      settings: { image: 'box.sif' },
    });
    expect(parseSlotPoolSettings({ tool_pool_mode: 'nomad' }).inner.provider).toBe('nomad');
  });

  it.each([
    [{ privileged: true }, "'privileged' cannot be honoured: slots need no privileged container"],
    [{ purge_job_on_shutdown: false }, 'a pool ends with its process'],
    [{ slots_per_container: 'many' }, `'slots_per_container': "many" is no number`],
    [{ allow_network: 'perhaps' }, 'neither true nor false'],
  ])('%j are refused with the reason', (raw, message) => {
    expect(() => parseSlotPoolSettings(raw)).toThrow(message);
  });
});
