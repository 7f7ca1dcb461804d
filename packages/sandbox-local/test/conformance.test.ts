import { describeSandboxConformance } from '@hermes/sandbox/testing';
import { createSandboxProvider } from '../src/index.ts';

for (const isolation of ['bubblewrap', 'none'] as const) {
  for (const supervisor of ['go', 'sh'] as const) {
    const open = () =>
      createSandboxProvider(
        { isolation, supervisor },
        { openProvider: () => Promise.reject(new Error('no other provider is opened')) },
      );
    describeSandboxConformance({ name: `local (${isolation}, ${supervisor})`, open });
  }
}
