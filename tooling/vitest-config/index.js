import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const conditions = ['@hermes/source'];
const setupFile = fileURLToPath(new URL('./fail-on-console.js', import.meta.url));

export function packageTests(name) {
  return defineConfig({
    resolve: { conditions },
    ssr: { resolve: { conditions, externalConditions: conditions } },
    test: {
      name,
      include: ['test/**/*.test.ts'],
      setupFiles: [setupFile],
      typecheck: { enabled: true, include: ['test/**/*.test-d.ts'], tsconfig: 'tsconfig.json' },
      restoreMocks: true,
      unstubEnvs: true,
    },
  });
}
