import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const conditions = ['@hermes/source'];
const setupFiles = ['./fail-on-console.js', './no-settings.js'].map((name) =>
  fileURLToPath(new URL(name, import.meta.url)),
);

export function packageTests(name) {
  return defineConfig({
    resolve: { conditions },
    ssr: { resolve: { conditions, externalConditions: conditions } },
    test: {
      name,
      include: ['test/**/*.test.ts'],
      setupFiles,
      typecheck: { enabled: true, include: ['test/**/*.test-d.ts'], tsconfig: 'tsconfig.json' },
      // real processes under the load of a whole run: one more try there, shown as such in the report; none by hand
      retry: process.env.CI ? 1 : 0,
      restoreMocks: true,
      unstubEnvs: true,
    },
  });
}
