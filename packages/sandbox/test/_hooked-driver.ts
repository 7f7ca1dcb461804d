import { spawn } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type {
  ByteChannel,
  Capabilities,
  DriverSandbox,
  SandboxDriver,
  SandboxRef,
  SandboxSpec,
} from '../src/index.ts';

const none = { cpu: false, memory: false, pids: false, disk: false };

export const folderCapabilities: Capabilities = {
  shell: true,
  persistentFs: true,
  absolutePaths: false,
  sessions: true,
  tty: true,
  stdin: true,
  streaming: true,
  binary: true,
  users: true,
  root: true,
  networkNone: false,
  networkAllowlist: false,
  ports: false,
  snapshot: false,
  reattach: true,
  gpu: false,
  killTree: 'subreaper',
  isolation: 'none',
  resourceLimits: none,
  usage: { cpu: false, memory: false, oom: false },
  maxArgBytes: 131_071,
  maxUploadBytes: null,
  timeoutGranularityMs: 1,
};

/** What a test may change about the driver, and see of it. */
export type FolderHooks = {
  capabilities?: Partial<Capabilities>;
  sandbox?: Partial<DriverSandbox>;
  /** Every channel that was opened, with what started it. */
  opened?: { argv: readonly string[]; channel: ByteChannel; pid: number | undefined }[];
  beforeOpen?: (argv: readonly string[]) => Promise<void>;
};

/** A sandbox is a folder and plain processes in it. */
export function folderDriver(root: string, hooks: FolderHooks = {}): SandboxDriver {
  const capabilities = { ...folderCapabilities, ...hooks.capabilities };
  const open = (ref: SandboxRef, spec: Partial<SandboxSpec>): DriverSandbox => ({
    ref,
    gone: new AbortController().signal,
    info: {
      provider: 'folder',
      image: null,
      imageDigest: null,
      workdir: join(root, ref.id),
      user: 'self',
      isolation: 'none',
      unmetLimits: [],
      createdAtMs: Date.now(),
      expiresAtMs: Date.now() + (spec.lifetimeMs ?? 0),
    },
    stateDir: join(root, `.${ref.id}`),
    openChannel: async (argv) => {
      await hooks.beforeOpen?.(argv);
      const { channel, pid } = openChannel(argv, join(root, ref.id));
      hooks.opened?.push({ argv, channel, pid });
      return channel;
    },
    ...hooks.sandbox,
  });
  return {
    id: 'folder',
    capabilities,
    preflight: async () => ({ ok: true, problems: [], capabilities }),
    async create(spec) {
      const ref: SandboxRef = {
        provider: 'folder',
        id: spec.idempotencyKey,
        name: null,
        labels: spec.labels,
      };
      await mkdir(join(root, ref.id), { recursive: true });
      await writeFile(join(root, `${ref.id}.json`), JSON.stringify(ref));
      return open(ref, spec);
    },
    attach: async (ref) => open(ref, {}),
    async *list() {
      for (const name of await readdir(root))
        if (name.endsWith('.json'))
          yield JSON.parse(await readFile(join(root, name), 'utf8')) as SandboxRef;
    },
    async destroy(ref) {
      for (const name of [ref.id, `.${ref.id}`, `${ref.id}.json`])
        await rm(join(root, name), { recursive: true, force: true });
    },
  };
}

function openChannel(
  argv: readonly [string, ...string[]],
  cwd: string,
): { channel: ByteChannel; pid: number | undefined } {
  const child = spawn(argv[0], argv.slice(1), {
    cwd,
    detached: true,
    env: { PATH: '/usr/bin:/bin' },
  });
  const closed = new Promise<{ exitCode: number | null; error: string | null }>((resolve) => {
    child.once('error', (error) => resolve({ exitCode: null, error: error.message }));
    child.once('close', (exitCode) => resolve({ exitCode, error: null }));
  });
  for (const stream of [child.stdin, child.stdout, child.stderr])
    stream.on('error', () => undefined);
  const write = (bytes: Uint8Array) =>
    new Promise<void>((resolve, reject) => {
      child.stdin.write(bytes, (error) => (error ? reject(error) : resolve()));
    });
  const channel: ByteChannel = {
    stdout: child.stdout,
    stderr: child.stderr,
    write,
    closeWrite: async () => void child.stdin.end(),
    closed,
    destroy: () => {
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
    },
  };
  return { channel, pid: child.pid };
}
