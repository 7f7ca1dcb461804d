import { readdirSync, readFileSync } from 'node:fs';
import { defineConfig } from 'tsup';

/** One entry a format: `@hermes/parsers/kimi_k2`, and with hyphens for those who expect them. */
const formats = readdirSync('src/formats').flatMap((file) => {
  const name = file.replace(/\.ts$/, '');
  const spellings = new Set([name, name.replaceAll('_', '-')]);
  return [...spellings].map((spelling) => [`formats/${spelling}`, `src/formats/${file}`]);
});

/**
 * Properties that only the core's classes share. Minifiers of those who use the package leave
 * names of properties alone, so these are shortened here. None is a key of anything public, nor
 * what a reader of blocks needs: the sources mark them as internal, which keeps them out of the
 * declarations.
 */
const internalNames: readonly string[] = JSON.parse(readFileSync('internal-names.json', 'utf8'));

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    'testing/index': 'src/testing/index.ts',
    ...Object.fromEntries(formats),
  },
  format: ['esm'],
  target: 'es2022',
  dts: { compilerOptions: { stripInternal: true } },
  sourcemap: true,
  clean: true,
  splitting: true,
  treeshake: true,
  esbuildOptions(options) {
    options.mangleProps = new RegExp(`^(?:${internalNames.join('|')})$`);
    // constants in place of their names
    options.minifySyntax = true;
  },
});
