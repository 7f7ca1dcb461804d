import { spawn } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createProviderFromDriver, SandboxError } from '@hermes/sandbox';
import { createByteChannel } from '@hermes/sandbox/host';

const each = (names, value) => Object.fromEntries(names.split(' ').map((name) => [name, value]));
const capabilities = {
  ...each('shell persistentFs sessions stdin streaming binary', true),
  ...each('absolutePaths tty users root networkNone networkAllowlist ports snapshot gpu', false),
  ...{ reattach: false, killTree: 'subreaper', isolation: 'none' },
  ...{ usage: each('cpu memory oom', false), resourceLimits: each('cpu memory pids disk', false) },
  ...{ maxArgBytes: 131_071, maxUploadBytes: null, timeoutGranularityMs: 1 },
};

/** A sandbox is a folder and plain processes in it: no isolation, so only for trusted rollouts. */
export const createSandboxProvider = async (settings, context) => {
  const root = parse(settings);
  await mkdir(root, { recursive: true });
  return createProviderFromDriver(folderDriver(root), context.effects);
};

function parse({ root = join(tmpdir(), 'hermes-folders'), ...others } = {}) {
  const [unknown] = Object.keys(others);
  if (unknown === undefined) return root;
  throw new SandboxError('CONFIG', 'provider', `settings.${unknown}: unknown; there is: root`);
}

function folderDriver(root) {
  const user = String(process.getuid());
  const workdir = (ref) => join(root, ref.id, 'work');
  const open = (ref, expiresAtMs) => ({
    ref,
    gone: new AbortController().signal,
    stateDir: join(root, ref.id, 'state'),
    info: {
      ...{ provider: 'folder', image: null, imageDigest: null, user, isolation: 'none' },
      ...{ workdir: workdir(ref), unmetLimits: [], createdAtMs: Date.now(), expiresAtMs },
    },
    async openChannel([program, ...args]) {
      const child = spawn(program, args, { cwd: workdir(ref), detached: true, env: {} });
      return createByteChannel(child, () => child.kill('SIGKILL'));
    },
  });
  return {
    ...{ id: 'folder', capabilities },
    preflight: async () => ({ ok: true, problems: [], capabilities }),
    async create({ idempotencyKey, labels, lifetimeMs }) {
      const ref = { provider: 'folder', id: idempotencyKey, name: null, labels };
      await mkdir(join(root, ref.id)); // throws where the sandbox of this key is there already
      await mkdir(workdir(ref));
      await writeFile(join(root, `${ref.id}.json`), JSON.stringify(ref));
      return open(ref, Date.now() + lifetimeMs);
    },
    attach: async (ref) => open(ref, Number(ref.labels['hermes.expires']) * 1000),
    async *list() {
      const refs = (await readdir(root)).filter((name) => name.endsWith('.json'));
      for (const name of refs) yield JSON.parse(await readFile(join(root, name), 'utf8'));
    },
    async destroy({ id }) {
      await rm(join(root, id), { recursive: true, force: true });
      await rm(join(root, `${id}.json`), { force: true });
    },
  };
}
