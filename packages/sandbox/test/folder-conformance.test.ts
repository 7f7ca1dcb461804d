import { createProviderFromDriver } from '../src/core/provider.ts';
import { describeSandboxConformance } from '../src/testing/index.ts';
import { createFolderDriver } from './_folder-driver.ts';

for (const supervisor of ['go', 'sh'] as const) {
  describeSandboxConformance({
    caseTimeoutMs: 60_000,
    name: `a folder under the ${supervisor} supervisor`,
    open: async () => createProviderFromDriver(createFolderDriver(), {}, { supervisor }),
  });
}
