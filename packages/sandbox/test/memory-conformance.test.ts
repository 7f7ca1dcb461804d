import { createMemorySandboxProvider } from '../src/memory/create-memory-sandbox-provider.ts';
import { describeSandboxConformance } from '../src/testing/index.ts';

describeSandboxConformance({
  name: 'memory',
  open: async () => createMemorySandboxProvider(),
});
