import { createHash } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { Clock } from '@hermes/protocol';
import {
  type ExecResult,
  type Proc,
  type Sandbox,
  SandboxError,
  supervisorFiles,
} from '@hermes/sandbox';
import { z } from 'zod';
import { HOST_FOLDER } from './places.ts';
import type { ResolvedSettings } from './settings.ts';
import { hostPart, type SlotConfig } from './slot-config.ts';
import { SlotTender, type SlotUsage } from './slot-tender.ts';

/** So many ranges of users there are, less those of one pool. */
const PLACES_OF_A_HOST = 58_000;

const ERRAND_MS = 60_000;

const STORE = `umask 077
mkdir -p "$1" && cat > "$1/hermes-supervisor" && chmod 755 "$1/hermes-supervisor"`;

const probeSchema = z.object({
  controllers: z.array(z.string()),
  environment: z.array(z.string()),
  problem: z.string(),
});

/** What a look into an inner sandbox has shown. */
export type SlotProbe = Readonly<{
  /** The control groups that may be made: of memory, pids, cpu, cpuacct. */
  controllers: readonly string[];
  /** `NAME=VALUE`, as its programs get it. */
  environment: readonly string[];
  /** Why slots cannot have users of their own; empty: they can, or were not asked for. */
  problem: string;
}>;

/** One inner sandbox with the program that makes slots in it. All slots of it are made and looked after by root's errands. */
export class SlotHost {
  readonly sandbox: Sandbox;
  /** Absolute, inside. */
  readonly folder: string;
  readonly probe: SlotProbe;

  readonly #tender: SlotTender;

  private constructor(sandbox: Sandbox, probe: SlotProbe, clock: Clock) {
    this.sandbox = sandbox;
    this.#tender = new SlotTender(sandbox, slotWords(sandbox, ['slot', 'tend']), clock);
    // Every slot of it listens.
    setMaxListeners(0, sandbox.gone);
    this.folder = folderOf(sandbox);
    this.probe = probe;
  }

  /** Puts the program into an inner sandbox, lets it prepare for slots, and asks what can be kept there. Throws SandboxError. */
  static async prepare(
    sandbox: Sandbox,
    settings: ResolvedSettings,
    clock: Clock,
  ): Promise<SlotHost> {
    await storeProgram(sandbox);
    const config = hostPart({ folder: folderOf(sandbox), hasWalls: hasWalls(sandbox) }, settings);
    const result = await errand(sandbox, ['slot', 'probe', '--config', JSON.stringify(config)]);
    const probe = probeSchema.parse(JSON.parse(result.stdout.text()));
    if (probe.problem !== '') throw withoutOwnIds(probe.problem);
    return new SlotHost(sandbox, probe, clock);
  }

  /** Whether it is closed towards the machine below, so that slots may see all of it. */
  get hasWalls(): boolean {
    return hasWalls(this.sandbox);
  }

  /** Users of a container are its own; those of a host are shared with whoever else makes slots there. */
  get firstIndex(): number {
    if (this.hasWalls) return 0;
    const digest = createHash('sha256').update(this.sandbox.ref.id).digest();
    return digest.readUInt32BE() % PLACES_OF_A_HOST;
  }

  get workdir(): string {
    return this.sandbox.info.workdir;
  }

  /** Who its own commands run as, where that is not root. */
  get user(): string | null {
    const { user } = this.sandbox.info;
    const isRoot = /^(root|0)(:|$)/.test(user);
    return this.hasWalls && !isRoot && user !== '' ? user : null;
  }

  get gone(): AbortSignal {
    return this.sandbox.gone;
  }

  /** Starts a slot. It lives as long as the process, and the process as long as it. */
  start(config: SlotConfig, words: readonly string[], signal?: AbortSignal): Promise<Proc> {
    const argv = slotWords(this.sandbox, ['slot', 'run', '--config', JSON.stringify(config), '--']);
    return this.sandbox.spawn({
      ...{ command: { argv: [...argv, ...words] }, user: 'root', stdin: 'open', cwd: '/' },
      timeoutMs: Number.POSITIVE_INFINITY,
      ...(signal === undefined ? {} : { signal }),
    });
  }

  /** Makes a slot, and ends it at once. Throws what cannot be done here. */
  async tryOut(config: SlotConfig): Promise<void> {
    await errand(this.sandbox, [
      'slot',
      'run',
      '--config',
      JSON.stringify(config),
      '--',
      'version',
    ]);
    const left = await this.findRemains(config);
    if (left !== null) throw new SandboxError('SANDBOX_UNHEALTHY', 'provider', left);
  }

  /** What an ended slot has left in the inner sandbox; null: it is proved that there is nothing. */
  findRemains(config: SlotConfig): Promise<string | null> {
    return this.#tender.findRemains(config).catch((error: unknown) => String(error));
  }

  usage(config: SlotConfig): Promise<SlotUsage> {
    return this.#tender.usage(config);
  }

  /** A connection to a server on the slot's loopback, as the input and output of a process. */
  dial(config: SlotConfig, port: number): Promise<Proc> {
    const words = ['slot', 'dial', '--config', JSON.stringify(config), '--port', String(port)];
    return this.sandbox.spawn({
      ...{
        command: { argv: slotWords(this.sandbox, words) },
        user: 'root',
        stdin: 'open',
        cwd: '/',
      },
      timeoutMs: Number.POSITIVE_INFINITY,
    });
  }
}

function hasWalls({ info }: Sandbox): boolean {
  return info.isolation === 'container' || info.isolation === 'vm';
}

function withoutOwnIds(problem: string): SandboxError {
  const message = `give slots users of their own: ${problem}; that needs Linux 6.5, or set ids: 'shared'`;
  return new SandboxError('UNSUPPORTED', 'provider', message);
}

function folderOf({ info }: Sandbox): string {
  return `${info.workdir.replace(/\/$/, '')}/${HOST_FOLDER}`;
}

function slotWords(sandbox: Sandbox, words: readonly string[]): readonly [string, ...string[]] {
  return [`${folderOf(sandbox)}/hermes-supervisor`, ...words];
}

async function storeProgram(sandbox: Sandbox): Promise<void> {
  const uname = await run(sandbox, { command: { argv: ['uname', '-m'] } });
  const machine = uname.stdout.text().trim();
  const path = supervisorFiles().binary(machine);
  if (path === null)
    throw new SandboxError(
      'UNSUPPORTED',
      'provider',
      `make slots: there is no program for the processor ${machine}`,
    );
  const argv = ['sh', '-c', STORE, 'sh', folderOf(sandbox)] as const;
  await run(sandbox, { command: { argv }, stdin: await readFile(path) });
}

function errand(sandbox: Sandbox, words: readonly string[]): Promise<ExecResult> {
  return run(sandbox, { command: { argv: slotWords(sandbox, words) } });
}

/** Runs something short as root; throws SANDBOX_UNHEALTHY with its own words when it fails. */
async function run(
  sandbox: Sandbox,
  request: Omit<Parameters<Sandbox['exec']>[0], 'timeoutMs'>,
): Promise<ExecResult> {
  const result = await sandbox.exec({ cwd: '/', user: 'root', ...request, timeoutMs: ERRAND_MS });
  if (result.status === 'exited' && result.exitCode === 0) return result;
  const said = result.stderr
    .text()
    .trim()
    .replace(/^hermes-supervisor: /, '');
  const how = said === '' && result.status === 'not_started' ? result.message : said;
  throw new SandboxError(
    'SANDBOX_UNHEALTHY',
    'provider',
    how === '' ? `an errand ended as ${result.status}` : how,
  );
}
