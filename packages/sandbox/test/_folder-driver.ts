import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { createByteChannel, hostCapabilities, removeTree } from '../src/host/index.ts';
import type {
  ByteChannel,
  DriverSandbox,
  SandboxDriver,
  SandboxInfo,
  SandboxRef,
  SandboxSpec,
} from '../src/index.ts';
import { SandboxError } from '../src/index.ts';

const capabilities = hostCapabilities({ cgroups: null }, { kind: 'go' });

type Folder = Readonly<{
  key: string;
  sandbox: DriverSandbox;
  children: Set<ChildProcess>;
  end: AbortController;
  root: string;
}>;

/** The smallest real driver: each sandbox is a temporary folder, each channel a child process in it. */
export function createFolderDriver(): SandboxDriver {
  const living = new Map<string, Folder>();
  return {
    id: 'folder',
    capabilities,
    preflight: async () => ({ ok: true, problems: [], capabilities }),
    create: async (spec) => {
      const same = [...living.values()].find(({ key }) => key === spec.idempotencyKey);
      const folder = same ?? (await openFolder(spec));
      living.set(folder.sandbox.ref.id, folder);
      return folder.sandbox;
    },
    attach: async (ref) => {
      const folder = living.get(ref.id);
      if (folder === undefined) throw goneError(ref.id);
      return folder.sandbox;
    },
    async *list({ labels = {} }) {
      for (const { sandbox } of [...living.values()]) {
        const has = ([name, value]: [string, string]) => sandbox.ref.labels[name] === value;
        if (Object.entries(labels).every(has)) yield sandbox.ref;
      }
    },
    destroy: async (ref) => {
      const folder = living.get(ref.id);
      living.delete(ref.id);
      if (folder !== undefined) await removeFolder(folder);
    },
  };
}

function goneError(id: string): SandboxError {
  return new SandboxError('SANDBOX_GONE', 'sandbox', `use folder sandbox ${id}: it is gone`);
}

async function openFolder(spec: SandboxSpec): Promise<Folder> {
  const root = await mkdtemp(join(tmpdir(), 'folder-sandbox-'));
  const children = new Set<ChildProcess>();
  const end = new AbortController();
  const ref: SandboxRef = { provider: 'folder', id: root, name: null, labels: spec.labels };
  const sandbox: DriverSandbox = {
    ref,
    info: infoOf(spec, root),
    gone: end.signal,
    stateDir: join(root, '.supervisor'),
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin', HOME: root },
    openChannel: async ([program, ...args]) => {
      if (end.signal.aborted) throw end.signal.reason;
      return startChild(program, args, root, children);
    },
  };
  return { key: spec.idempotencyKey, sandbox, children, end, root };
}

function infoOf(spec: SandboxSpec, workdir: string): SandboxInfo {
  const createdAtMs = Date.now();
  return {
    provider: 'folder',
    image: null,
    imageDigest: null,
    workdir,
    user: userInfo().username,
    isolation: 'none',
    createdAtMs,
    expiresAtMs: createdAtMs + spec.lifetimeMs,
    unmetLimits: [],
  };
}

function startChild(
  program: string,
  args: readonly string[],
  cwd: string,
  children: Set<ChildProcess>,
): ByteChannel {
  const env = { PATH: process.env.PATH ?? '/usr/bin:/bin' };
  const child = spawn(program, args, { cwd, env, detached: true });
  children.add(child);
  const channel = createByteChannel(child, () => undefined);
  void channel.closed.then(() => children.delete(child));
  return channel;
}

async function removeFolder({ sandbox, children, end, root }: Folder): Promise<void> {
  end.abort(goneError(sandbox.ref.id));
  const ended = [...children].map(
    (child) => new Promise((resolve) => child.once('exit', resolve).kill('SIGTERM')),
  );
  await Promise.all(ended);
  await removeTree(root);
}
