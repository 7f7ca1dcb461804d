import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const conditions = ['@hermes/source'];
const setupFiles = ['./fail-on-console.js', './no-settings.js'].map((name) =>
  fileURLToPath(new URL(name, import.meta.url)),
);

const ALONE = 'test/**/*.alone.test.ts';

export function packageTests(name) {
  return testsOf(name, { include: ['test/**/*.test.ts'], exclude: [ALONE] });
}

export function testsThatRunAlone(name) {
  return testsOf(`${name} alone`, {
    include: [ALONE],
    fileParallelism: false,
    sequence: { groupOrder: 1 },
  });
}

function testsOf(name, files) {
  return defineConfig({
    resolve: { conditions },
    ssr: { resolve: { conditions, externalConditions: conditions } },
    test: {
      name,
      ...files,
      setupFiles,
      typecheck: { enabled: true, include: ['test/**/*.test-d.ts'], tsconfig: 'tsconfig.json' },
      // real processes under the load of a whole run: one more try there, shown as such in the report; none by hand
      retry: process.env.CI ? 1 : 0,
      restoreMocks: true,
      unstubEnvs: true,
    },
  });
}
