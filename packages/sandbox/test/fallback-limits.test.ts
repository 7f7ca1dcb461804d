import { expect, it, onTestFinished } from 'vitest';
import { createProviderFromDriver } from '../src/core/provider.ts';
import type { SandboxDriver, SandboxProvider, SandboxSpec } from '../src/index.ts';
import { createFolderDriver } from './_folder-driver.ts';

/** A provider that claims a limit on processes, and whose sandboxes cannot run the supervisor's program. */
function providerOnScript(): SandboxProvider {
  const driver = createFolderDriver();
  const { capabilities } = driver;
  const limiting: SandboxDriver = {
    ...driver,
    capabilities: {
      ...capabilities,
      resourceLimits: { ...capabilities.resourceLimits, pids: true },
    },
    create: async (spec, options) => ({
      ...(await driver.create(spec, options)),
      supervisorPath: '/bin/false',
    }),
  };
  const provider = createProviderFromDriver(limiting);
  onTestFinished(() => provider.close());
  return provider;
}

function specWith(resources: SandboxSpec['resources'] & object): SandboxSpec {
  return { lifetimeMs: 60_000, labels: {}, idempotencyKey: 'fallback', resources };
}

it('a limit that only the program can keep is refused where the script has to do its work', async () => {
  const provider = providerOnScript();
  await expect(provider.create(specWith({ pids: 64 }))).rejects.toMatchObject({
    code: 'UNSUPPORTED',
    message: expect.stringContaining('resources.pids'),
  });
  for await (const left of provider.list({})) expect.fail(`${left.id} is left`);
});

it('where best effort will do, such a limit is named as not met', async () => {
  const sandbox = await providerOnScript().create(specWith({ pids: 64, enforce: 'best_effort' }));
  onTestFinished(async () => void (await sandbox.dispose()));
  expect(sandbox.info.unmetLimits).toEqual(['pids']);
});
