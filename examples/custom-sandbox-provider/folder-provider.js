import { spawn } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createProviderFromDriver, SandboxError } from '@hermes/sandbox';

const no = { cpu: false, memory: false, pids: false, disk: false, oom: false };
const capabilities = {
  shell: true,
  persistentFs: true,
  absolutePaths: false,
  sessions: true,
  tty: false,
  stdin: true,
  streaming: true,
  binary: true,
  users: false,
  root: false,
  networkNone: false,
  networkAllowlist: false,
  ports: false,
  snapshot: false,
  reattach: false,
  gpu: false,
  killTree: 'subreaper',
  isolation: 'none',
  resourceLimits: no,
  usage: no,
  maxArgBytes: 131_071,
  maxUploadBytes: null,
  timeoutGranularityMs: 1,
};

/** A sandbox is a folder and plain processes in it: no isolation, so only for trusted rollouts. */
export const createSandboxProvider = async (settings, context) =>
  createProviderFromDriver(folderDriver(parse(settings)), context.effects);

function parse({ root = join(tmpdir(), 'hermes-folders'), ...others } = {}) {
  const unknown = Object.keys(others);
  if (unknown.length === 0 && typeof root === 'string') return root;
  throw new SandboxError(
    'CONFIG',
    'provider',
    `settings: only root, a folder, is known; got ${unknown.join(', ') || typeof root}`,
  );
}

function folderDriver(root) {
  const open = (ref, lifetimeMs) => ({
    ref,
    gone: new AbortController().signal,
    stateDir: join(root, ref.id, 'state'),
    info: {
      provider: 'folder',
      image: null,
      imageDigest: null,
      workdir: join(root, ref.id, 'work'),
      user: 'self',
      isolation: 'none',
      unmetLimits: [],
      createdAtMs: Date.now(),
      expiresAtMs: Date.now() + lifetimeMs,
    },
    openChannel: async (argv) => channel(argv, join(root, ref.id, 'work')),
  });
  return {
    id: 'folder',
    capabilities,
    preflight: async () => ({ ok: true, problems: [], capabilities }),
    async create(spec) {
      const ref = { provider: 'folder', id: spec.idempotencyKey, name: null, labels: spec.labels };
      await mkdir(join(root, ref.id, 'work'), { recursive: true });
      await writeFile(join(root, `${ref.id}.json`), JSON.stringify(ref));
      return open(ref, spec.lifetimeMs);
    },
    attach: async (ref) => open(ref, 3_600_000),
    async *list() {
      const names = await readdir(root).catch(() => []);
      for (const name of names.filter((found) => found.endsWith('.json')))
        yield JSON.parse(await readFile(join(root, name), 'utf8'));
    },
    async destroy(ref) {
      for (const name of [ref.id, `${ref.id}.json`])
        await rm(join(root, name), { recursive: true, force: true });
    },
  };
}

function channel(argv, cwd) {
  const child = spawn(argv[0], argv.slice(1), {
    cwd,
    detached: true,
    env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
  });
  const closed = new Promise((resolve) => {
    child.once('error', (error) => resolve({ exitCode: null, error: error.message }));
    child.once('close', (exitCode) => resolve({ exitCode, error: null }));
  });
  const write = (bytes) =>
    new Promise((resolve, reject) =>
      child.stdin.write(bytes, (error) => (error ? reject(error) : resolve())),
    );
  return {
    stdout: child.stdout,
    stderr: child.stderr,
    write,
    closeWrite: async () => void child.stdin.end(),
    closed,
    destroy: () => void child.kill('SIGKILL'),
  };
}
