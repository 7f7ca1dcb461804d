import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);
const maxBuffer = 64 * 1024 * 1024;

/**
 * Packs every publishable package as `pnpm publish` would, from the builds that `pnpm build` left, into `folder`.
 * Returns the path of each tarball by package name.
 */
export async function packAll(folder) {
  await run(
    'pnpm',
    ['exec', 'turbo', 'run', 'build', '--concurrency=1', '--output-logs=errors-only'],
    { cwd: root, maxBuffer },
  );
  const tarballs = new Map();
  for (const directory of await publishable()) {
    const { name } = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8'));
    // the build is there: prepack would only make it once more
    const { stdout } = await run('pnpm', ['pack', '--json', '--pack-destination', folder], {
      cwd: directory,
      env: { ...process.env, npm_config_ignore_scripts: 'true' },
      maxBuffer,
    });
    tarballs.set(name, JSON.parse(stdout).filename);
  }
  return tarballs;
}

async function publishable() {
  const directories = [];
  for (const layer of ['packages', 'apps']) {
    for (const name of await readdir(join(root, layer))) directories.push(join(root, layer, name));
  }
  return directories;
}

/**
 * A folder outside the workspace, with the named tarballs (and what else is asked for) installed by npm, as a user would have it.
 * Dispose removes it.
 */
export async function installOutside(tarballs, names, extra = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'hermes-outside-'));
  const dependencies = Object.fromEntries(
    names.map((name) => [name, `file:${tarballs.get(name)}`]),
  );
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({
      name: 'outside',
      private: true,
      type: 'module',
      dependencies: { ...dependencies, ...extra },
    }),
  );
  await run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    env: outsideEnvironment(),
    maxBuffer,
  });
  return {
    folder,
    run: (command, args) => runOutside(folder, command, args),
    dispose: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Runs a command there; resolves with its exit code and output, whatever the code. */
async function runOutside(folder, command, args) {
  try {
    const { stdout, stderr } = await run(command, args, {
      cwd: folder,
      env: outsideEnvironment(),
      maxBuffer,
      timeout: 600_000,
    });
    return { code: 0, stdout, stderr };
  } catch (error) {
    if (typeof error.code !== 'number') throw error;
    return { code: error.code, stdout: error.stdout, stderr: error.stderr };
  }
}

/** Nothing of pnpm's or of this workspace's own settings. */
function outsideEnvironment() {
  const kept = Object.entries(process.env).filter(
    ([name]) =>
      !/^(npm_config_|npm_package_|npm_lifecycle_|pnpm_|NODE_OPTIONS|NODE_PATH|VITEST)/i.test(
        name,
      ) || name === 'npm_config_registry',
  );
  return Object.fromEntries(kept);
}

/** A folder for tarballs; the caller removes it. */
export async function temporaryFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'hermes-tarballs-'));
  return folder;
}
