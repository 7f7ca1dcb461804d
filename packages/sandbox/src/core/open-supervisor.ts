import { readFile } from 'node:fs/promises';
import type { ByteChannel, DriverSandbox, SandboxError } from '../types.ts';
import { binaryCodec } from './binary-codec.ts';
import { isSandboxError, transportError } from './errors.ts';
import type { FrameCodec } from './frames.ts';
import { installSupervisor } from './install-supervisor.ts';
import { Link } from './link.ts';
import type { InsideContext } from './run-inside.ts';
import { supervisorFiles } from './supervisor-files.ts';
import { textCodec } from './text-codec.ts';

/** auto: the program, and the script where that cannot run. */
export type SupervisorChoice = 'auto' | 'go' | 'sh';

export type OpenContext = InsideContext &
  Readonly<{
    choice: SupervisorChoice;
    token: string;
    onGone: (error: SandboxError) => void;
  }>;

/** dd reads no byte too many, so what follows the script on the channel is left for the script. */
const RECEIVE_SCRIPT = `umask 077
mkdir -p "$1" && dd bs=1 count="$2" of="$1/fallback.sh" 2>/dev/null &&
exec sh "$1/fallback.sh" serve --state "$1"`;

/** Starts or finds the sandbox's supervisor. Throws SandboxError. */
export async function openSupervisor(context: OpenContext): Promise<Link> {
  const stateDir = stateFolder(context.inner);
  if (context.choice === 'sh' || bringsScriptOnly(context.inner))
    return openScript(context, stateDir);
  try {
    return await openProgram(context, stateDir);
  } catch (cause) {
    const final = isSandboxError(cause) && cause.code !== 'TRANSPORT';
    if (context.choice === 'go' || final || context.signal?.aborted) throw cause;
    return openScript(context, stateDir).catch(() => Promise.reject(cause));
  }
}

/** A driver that knows what can run brings just that. */
function bringsScriptOnly({ supervisorPath, fallbackPath }: DriverSandbox): boolean {
  return supervisorPath === undefined && fallbackPath !== undefined;
}

function stateFolder(inner: DriverSandbox): string {
  return inner.stateDir ?? `/tmp/.hermes-${inner.ref.id.replace(/[^A-Za-z0-9._-]/g, '_')}`;
}

async function openProgram(context: OpenContext, stateDir: string): Promise<Link> {
  const path = context.inner.supervisorPath ?? (await installSupervisor(context, stateDir));
  if (path === null)
    throw transportError('start the supervisor: there is no program for this processor');
  return openLink(context, binaryCodec, () =>
    openChannel(context, [path, 'serve', '--state', stateDir, ...expectation(context.inner)]),
  );
}

/** Whoever else took the place of the one that runs already gets no channel. */
function expectation(inner: DriverSandbox): readonly string[] {
  const pid = inner.supervisorPid?.() ?? null;
  return pid === null ? [] : ['--expect-pid', String(pid)];
}

async function openScript(context: OpenContext, stateDir: string): Promise<Link> {
  const { fallbackPath } = context.inner;
  if (fallbackPath !== undefined) {
    const argv = ['sh', fallbackPath, 'serve', '--state', stateDir] as const;
    return openLink(context, textCodec, () => openChannel(context, argv));
  }
  const script = await readFile(supervisorFiles().fallback);
  return openLink(context, textCodec, async () => {
    const argv = ['sh', '-c', RECEIVE_SCRIPT, 'sh', stateDir, String(script.length)] as const;
    const channel = await openChannel(context, argv);
    await channel.write(script);
    return channel;
  });
}

function openChannel(
  { inner, signal }: OpenContext,
  argv: readonly [string, ...string[]],
): Promise<ByteChannel> {
  return inner.openChannel(argv, signal === undefined ? {} : { signal });
}

async function openLink(
  { clock, token, onGone }: OpenContext,
  codec: FrameCodec,
  open: () => Promise<ByteChannel>,
): Promise<Link> {
  return Link.open(await open(), { open, codec, clock, token, onGone });
}
