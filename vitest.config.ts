import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      'packages/*',
      'apps/*',
      'apps/*/vitest.alone.config.ts',
      'packages/*/vitest.alone.config.ts',
      'tooling/arrows',
      'tooling/automaton',
      'tooling/real-engines',
    ],
    // Most of the time is spent waiting for processes and services, so two at once fit on two cores; Vitest alone would take one.
    maxWorkers: 2,
  },
});
