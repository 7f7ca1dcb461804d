import { defineConfig } from 'tsup';

/** The benchmark, and the server that it starts, each with all it needs in one file: compiled as what is published, from the sources as they stand. */
export default defineConfig({
  entry: { groups: 'bench/groups.ts', server: 'bench/server.ts' },
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
