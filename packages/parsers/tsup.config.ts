import { readdirSync } from 'node:fs';
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
 * what a reader of blocks needs.
 */
const internalNames = [
  'act',
  'append',
  'closeMissing',
  'commit',
  'committed',
  'deliver',
  'deliveredUntil',
  'depth',
  'emit',
  'endValue',
  'first',
  'freshEvents',
  'handOver',
  'holds',
  'inertUntil',
  'isAfterBlock',
  'isArguments',
  'isAtContentStart',
  'isAtStart',
  'isFlowing',
  'isIncremental',
  'isInString',
  'isKey',
  'isObject',
  'isReasoning',
  'isRepaired',
  'isStarted',
  'kinds',
  'members',
  'nameIn',
  'nativeId',
  'openBlock',
  'openCall',
  'passPlain',
  'pieces',
  'reader',
  'readPlain',
  'reasoningMarkers',
  'reportRepair',
  'scan',
  'scanner',
  'space',
  'take',
  'textMarkers',
];

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
  esbuildOptions(options) {
    options.mangleProps = new RegExp(`^(?:${internalNames.join('|')})$`);
    // constants in place of their names
    options.minifySyntax = true;
  },
});
