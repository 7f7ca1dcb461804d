import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  countGoTests,
  countNodeTests,
  countVitest,
  runStep,
  runSteps,
  runStepsAtOnce,
} from './run.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Every suite of the repository, in the order in which they run. `needs`: services of the machine; `after`: a suite that must have run. */
export const suites = [
  {
    name: 'lint',
    description: 'biome, sherif, arrows, knip',
    run: () =>
      runSteps(root, [
        ['pnpm', 'exec', 'biome', 'ci', '--colors=off', '.'],
        ['pnpm', 'exec', 'sherif'],
        ['node', 'tooling/arrows/check.js'],
        ['pnpm', 'exec', 'knip'],
      ]),
  },
  {
    name: 'types',
    description: 'tsc over every package',
    run: () => runStepsAtOnce(root, [['pnpm', 'exec', 'tsc'], ...packageSteps('typecheck')]),
  },
  {
    name: 'unit',
    description: 'vitest over every package, the conformance kit over every provider',
    run: () => countVitest(root),
  },
  {
    name: 'supervisor',
    description: 'the Go supervisor: its tests, and its committed binaries byte for byte',
    needs: ['go'],
    run: async () =>
      addCounts(
        await countGoTests(join(root, 'packages/sandbox/supervisor')),
        await runStep(root, ['sh', 'packages/sandbox/supervisor/build.sh', '--check']),
      ),
  },
  {
    name: 'build',
    description: 'the published form of every package',
    run: () =>
      runSteps(root, [
        ['pnpm', 'exec', 'turbo', 'run', 'build', '--concurrency=2', '--output-logs=errors-only'],
      ]),
  },
  {
    name: 'packages',
    after: 'build',
    description: 'publint, are-the-types-wrong, and the built files',
    // Packing builds anew: the tests of what is built come after it.
    run: async () =>
      addCounts(
        await runStepsAtOnce(root, packageSteps('lint:pkg')),
        await runStepsAtOnce(root, packageSteps('test:dist')),
      ),
  },
  {
    name: 'tarballs',
    after: 'build',
    description: 'packed, installed in an empty folder, and used from there',
    run: () => countNodeTests(root, ['tooling/tarballs/tarballs.test.mjs']),
  },
  {
    name: 'proofs',
    description: 'the share of each long proof (pnpm prove NAME runs the whole)',
    run: () =>
      runSteps(root, [
        ['pnpm', 'prove', 'engines', '--share'],
        ['pnpm', 'prove', 'kill-resume', '--share'],
        ['pnpm', 'prove', 'parsers', '--share'],
        ['pnpm', 'prove', 'process', '--share'],
        ['pnpm', 'prove', 'trajectory-server', '--share'],
      ]),
  },
  {
    name: 'proofs in docker',
    description: 'the share of the long proof that needs containers',
    needs: ['docker'],
    run: () => runSteps(root, [['pnpm', 'prove', 'slots', '--share']]),
  },
  {
    name: 'proofs beside run-api',
    description: 'the share of the long proof that needs the real run-api',
    needs: ['atroposlib'],
    run: () => runSteps(root, [['pnpm', 'prove', 'serve', '--share']]),
  },
  {
    name: 'examples',
    after: 'build',
    description: 'every example runs and asserts',
    run: () =>
      runSteps(
        root,
        examples().map((name) => ['pnpm', '--filter', name, 'run', 'check']),
      ),
  },
];

function addCounts(a, b) {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed };
}

/** A step for each workspace package that has the script. */
function packageSteps(script) {
  return manifests(['packages', 'apps', 'examples', 'tooling'])
    .filter((manifest) => manifest.scripts?.[script] !== undefined)
    .map(({ name }) => ['pnpm', '--filter', name, 'run', script]);
}

function examples() {
  return manifests(['examples']).map((manifest) => manifest.name);
}

function manifests(folders) {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) =>
        JSON.parse(readFileSync(join(root, folder, entry.name, 'package.json'), 'utf8')),
      ),
  );
}
