import { createHash } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { Clock } from '@hermes/protocol';
import { type Proc, type Sandbox, SandboxError } from '@hermes/sandbox';
import { z } from 'zod';
import { STATE_DIR } from './places.ts';
import type { ResolvedSettings } from './settings.ts';
import { hostPart, type SlotConfig, type SlotShape } from './slot-config.ts';
import { SlotMaking } from './slot-making.ts';
import { checkErrand, SlotProgram } from './slot-program.ts';
import { SlotTender, type SlotUsage } from './slot-tender.ts';

/** So many ranges of users there are, less those of one pool. */
const PLACES_OF_A_HOST = 58_000;

const TRIAL_MS = 60_000;

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
  readonly probe: SlotProbe;
  readonly slots: SlotMaking;
  readonly #program: SlotProgram;
  readonly #tender: SlotTender;

  private constructor(sandbox: Sandbox, program: SlotProgram, probe: SlotProbe, clock: Clock) {
    this.sandbox = sandbox;
    this.#program = program;
    this.#tender = new SlotTender(program, clock);
    this.slots = new SlotMaking({
      make: (config, signal) => program.spawn(runWords(config), signal),
      findRemains: (config) => this.findRemains(config),
      clock,
    });
    // Every slot of it listens.
    setMaxListeners(0, sandbox.gone);
    this.probe = probe;
  }

  /** Puts the program into an inner sandbox, lets it prepare for slots, and asks what can be kept there. Throws SandboxError. */
  static async prepare(
    sandbox: Sandbox,
    settings: ResolvedSettings,
    clock: Clock,
    signal: AbortSignal,
  ): Promise<SlotHost> {
    const program = new SlotProgram(sandbox);
    await program.store({ signal });
    const config = hostPart({ folder: program.folder, hasWalls: hasWalls(sandbox) }, settings);
    const result = await program.errand(['slot', 'probe', ...configWords(config)], { signal });
    const probe = probeSchema.parse(JSON.parse(result.stdout.text()));
    if (probe.problem !== '') throw withoutOwnIds(probe.problem);
    return new SlotHost(sandbox, program, probe, clock);
  }

  get folder(): string {
    return this.#program.folder;
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

  /** Makes a slot whose supervisor ends at once, as its time is over. Throws what cannot be done here. */
  async tryOut(shape: SlotShape, signal: AbortSignal | undefined): Promise<void> {
    const slot = this.slots.take(shape);
    const late = AbortSignal.timeout(TRIAL_MS);
    const stop = AbortSignal.any([late, ...(signal === undefined ? [] : [signal])]);
    try {
      const proc = await slot.begin(stop);
      await proc.write(limitsLine(1));
      checkErrand(await proc.wait(stop));
    } finally {
      await slot.end();
    }
    const left = await this.findRemains(slot.config);
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
    return this.#program.spawn(['slot', 'dial', ...configWords(config), '--port', String(port)]);
  }
}

/** What a slot that is ready waits for: with this line its time begins. It needs no channel for longer than it lives. */
export function limitsLine(lifetimeMs: number): Buffer {
  return Buffer.from(`${JSON.stringify({ orphanMs: lifetimeMs, lifetimeMs })}\n`);
}

function runWords(config: SlotConfig): readonly [string, ...string[]] {
  const serve = ['serve', '--state', STATE_DIR, '--await-limits'];
  return ['slot', 'run', ...configWords(config), '--', ...serve];
}

function configWords(config: Partial<SlotConfig>): readonly [string, string] {
  return ['--config', JSON.stringify(config)];
}

function hasWalls({ info }: Sandbox): boolean {
  return info.isolation === 'container' || info.isolation === 'vm';
}

function withoutOwnIds(problem: string): SandboxError {
  const message = `give slots users of their own: ${problem}; that needs Linux 6.5, or set ids: 'shared'`;
  return new SandboxError('UNSUPPORTED', 'provider', message);
}
