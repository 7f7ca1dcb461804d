import { readdirSync } from 'node:fs';
import { defineConfig } from 'tsup';

/** One entry a format: `@hermes/parsers/kimi_k2`, and with hyphens for those who expect them. */
const formats = readdirSync('src/formats').flatMap((file) => {
  const name = file.replace(/\.ts$/, '');
  const spellings = new Set([name, name.replaceAll('_', '-')]);
  return [...spellings].map((spelling) => [`formats/${spelling}`, `src/formats/${file}`]);
});

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    'testing/index': 'src/testing/index.ts',
    ...Object.fromEntries(formats),
  },
  format: ['esm'],
  target: 'es2022',
  dts: true,
  sourcemap: true,
  clean: true,
  splitting: true,
  treeshake: true,
});
