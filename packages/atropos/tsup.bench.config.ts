import { defineConfig } from 'tsup';

/** The benchmark with all it measures in one file: compiled as what is published, from the sources as they stand. */
export default defineConfig({
  entry: { groups: 'bench/groups.ts' },
  outDir: 'node_modules/.bench',
  format: ['esm'],
  target: 'node20',
  clean: true,
  treeshake: true,
  noExternal: [/.*/],
  esbuildOptions: (options) => {
    options.conditions = ['@hermes/source'];
  },
});
