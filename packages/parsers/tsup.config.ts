import { defineConfig } from 'tsup';

export default defineConfig({
  // One entry a format: `@hermes/parsers/hermes` is `dist/formats/hermes.js`.
  entry: ['src/index.ts', 'src/testing/index.ts', 'src/formats/*.ts'],
  format: ['esm'],
  target: 'es2022',
  dts: true,
  sourcemap: true,
  clean: true,
  splitting: true,
  treeshake: true,
});
