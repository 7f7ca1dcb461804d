import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@hermes/protocol';
import {
  type CreateOptions,
  type DriverSandbox,
  type LabelFilter,
  type PreflightReport,
  type SandboxDriver,
  SandboxError,
  type SandboxRef,
  type SandboxSpec,
  supervisorFiles,
} from '@hermes/sandbox';
import { dockerCapabilities } from './capabilities.ts';
import { type ContainerPlan, containerOptions } from './container-options.ts';
import { ContainerWatch } from './container-watch.ts';
import { DockerSandbox } from './docker-sandbox.ts';
import type { Engine } from './engine.ts';
import { engineError, failureOf, isMissing } from './engine-error.ts';
import { Images, type ReadyImage } from './images.ts';
import { FALLBACK_PATH, programPath, STATE_DIR } from './places.ts';
import { checkEngine } from './preflight.ts';
import { readRecord, refOf, type SandboxRecord, withRecord } from './sandbox-record.ts';
import type { ResolvedDockerSettings } from './settings.ts';
import { ensureSupervisorVolume } from './supervisor-volume.ts';

const systemClock: Pick<Clock, 'now'> = {
  now: () => ({ wallMs: Date.now(), monoMs: performance.now() }),
};

/** A workplace where the image names none. */
const WORKDIR = '/workspace';
/** The harness ends a sandbox at its lifetime; the supervisor does so a little later, should nobody be there. */
const LIFETIME_MARGIN_MS = 2000;
const REMOVAL_MS = 30_000;
const LOOK_MS = 20;

/** Sandboxes as containers of one daemon, which knows all there is of them. */
export class DockerDriver implements SandboxDriver {
  readonly id = 'docker';
  readonly capabilities: SandboxDriver['capabilities'];
  readonly #engine: Engine;
  readonly #settings: ResolvedDockerSettings;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #images: Images;
  readonly #watch: ContainerWatch;
  readonly #open = new Map<string, DockerSandbox>();
  #volume: Promise<string> | null = null;

  constructor(
    engine: Engine,
    settings: ResolvedDockerSettings,
    clock: Pick<Clock, 'now'> = systemClock,
  ) {
    this.#engine = engine;
    this.#settings = settings;
    this.#clock = clock;
    this.capabilities = dockerCapabilities(engine, settings);
    this.#images = new Images(engine, settings);
    this.#watch = new ContainerWatch(engine);
  }

  async preflight(signal?: AbortSignal): Promise<PreflightReport> {
    const findings = await checkEngine(this.#engine, this.#settings, signal);
    const { capabilities } = this;
    return { ok: findings.problems.length === 0, ...findings, capabilities };
  }

  async create(spec: SandboxSpec, options: CreateOptions): Promise<DriverSandbox> {
    const image = await this.#images.ready(spec.image, options);
    const volume = await this.#supervisorVolume(image);
    options.onProgress?.({ phase: 'create' });
    const { plan, record } = this.#plan(spec, image, volume);
    const id = await this.#make(plan);
    try {
      options.signal?.throwIfAborted();
      return await this.#adopt({ ref: refOf(id, plan.name, spec.labels), record, isNew: true });
    } catch (error) {
      await this.#remove(id);
      throw error;
    }
  }

  async attach(ref: SandboxRef): Promise<DriverSandbox> {
    const held = this.#open.get(ref.id);
    if (held !== undefined) return held;
    try {
      const info = await this.#engine.docker.getContainer(ref.id).inspect();
      const record = readRecord(info.Config.Labels);
      if (record === null || !info.State.Running) throw gone(ref);
      const own = refOf(info.Id, info.Name, info.Config.Labels);
      return await this.#adopt({ ref: own, record, isNew: false });
    } catch (cause) {
      throw isMissing(cause) ? gone(ref) : engineError(cause, `attach to ${ref.name ?? ref.id}`);
    }
  }

  async *list({ labels = {} }: LabelFilter): AsyncIterable<SandboxRef> {
    const wanted = Object.entries({ ...labels, 'hermes.sandbox': '1' });
    const filters = { label: wanted.map(([name, value]) => `${name}=${value}`) };
    const found = await this.#engine.docker
      .listContainers({ all: true, filters })
      .catch((cause) => Promise.reject(engineError(cause, 'list containers')));
    for (const { Id, Names, Labels } of found)
      if (readRecord(Labels) !== null) yield refOf(Id, Names[0] ?? '', Labels);
  }

  async destroy(ref: SandboxRef): Promise<void> {
    this.#watch.remove(ref.id);
    await this.#remove(ref.id);
    this.#open.get(ref.id)?.markGone('destroyed', 'it was destroyed');
    this.#open.delete(ref.id);
  }

  async close(): Promise<void> {
    this.#watch.close();
    this.#open.clear();
  }

  /** Asked once for all, so nobody's signal stops it; when it fails, again by the next sandbox. */
  #supervisorVolume({ id }: ReadyImage): Promise<string> {
    this.#volume ??= ensureSupervisorVolume(this.#engine, id).catch((cause) => {
      this.#volume = null;
      throw engineError(cause, 'store the supervisor in a volume');
    });
    return this.#volume;
  }

  #plan(
    spec: SandboxSpec,
    image: ReadyImage,
    volume: string,
  ): { plan: ContainerPlan; record: SandboxRecord } {
    const { settings, now } = { settings: this.#settings, now: this.#clock.now().wallMs };
    const workdir = absolute(spec.workdir, image.workdir ?? WORKDIR);
    const user = spec.user ?? image.user;
    const supervisor = chooseSupervisor(settings.supervisor, image);
    const record: SandboxRecord = {
      ...{ image: image.name, digest: image.digest, workdir, user, env: image.env, supervisor },
      ...{ architecture: image.architecture, createdAtMs: now, expiresAtMs: now + spec.lifetimeMs },
    };
    const command =
      supervisor === 'sh' ? scriptPlan() : programPlan(image.architecture, spec.lifetimeMs);
    const labels = withRecord(spec.labels, record);
    const fixed = { name: containerName(spec), spec: { ...spec, labels }, image, workdir, volume };
    // The program acts as any user, the script only as its own.
    const runAs = supervisor === 'sh' ? (user ?? '0:0') : '0:0';
    return { plan: { ...fixed, user: runAs, settings, ...command }, record };
  }

  async #make(plan: ContainerPlan): Promise<string> {
    try {
      return (await this.#engine.docker.createContainer(containerOptions(plan))).id;
    } catch (cause) {
      const { status, message } = failureOf(cause);
      if (status !== 409) throw engineError(cause, `create container ${plan.name}`);
      const text = `create container ${plan.name}: a sandbox of the same key is there: ${message}`;
      throw new SandboxError('CONFIG', 'request', text, { cause });
    }
  }

  async #adopt(
    own: Readonly<{ ref: SandboxRef; record: SandboxRecord; isNew: boolean }>,
  ): Promise<DockerSandbox> {
    const { ref } = own;
    const sandbox = new DockerSandbox({ ...own, engine: this.#engine, clock: this.#clock });
    await this.#watch
      .add(ref.id, sandbox)
      .catch((cause) => Promise.reject(engineError(cause, 'follow the events of the daemon')));
    this.#open.set(ref.id, sandbox);
    sandbox.gone.addEventListener('abort', () => this.#open.delete(ref.id), { once: true });
    return sandbox;
  }

  /** Gone with its volumes; also when somebody else is removing it just now. */
  async #remove(id: string): Promise<void> {
    const container = this.#engine.docker.getContainer(id);
    const deadline = performance.now() + REMOVAL_MS;
    for (;;) {
      try {
        return await container.remove({ force: true, v: true });
      } catch (cause) {
        if (isMissing(cause)) return;
        const isUnderWay = failureOf(cause).status === 409;
        if (!isUnderWay || performance.now() > deadline)
          throw engineError(cause, `remove container ${id.slice(0, 12)}`);
      }
      await sleep(LOOK_MS);
    }
  }
}

function programPlan(architecture: string, lifetimeMs: number) {
  const limit = String(Math.ceil(lifetimeMs) + LIFETIME_MARGIN_MS);
  const argv = [programPath(architecture), 'serve', '--state', STATE_DIR];
  return { argv: [...argv, '--orphan-ms', limit, '--lifetime-ms', limit], init: false };
}

/** The script ends with its channel, which ends with us; init buries what it leaves. */
function scriptPlan() {
  return { argv: ['sh', FALLBACK_PATH, 'serve', '--state', STATE_DIR], init: true };
}

/** The program, unless the script is asked for or there is no build for the image's processor. */
function chooseSupervisor(
  wanted: ResolvedDockerSettings['supervisor'],
  { name, architecture }: ReadyImage,
): 'go' | 'sh' {
  const isBuilt = supervisorFiles().binary(architecture) !== null;
  if (wanted === 'go' && !isBuilt) {
    const message = `create a sandbox from ${name}: there is no supervisor for ${architecture}; set supervisor: 'sh'`;
    throw new SandboxError('CONFIG', 'request', message);
  }
  return isBuilt && wanted !== 'sh' ? 'go' : 'sh';
}

/** The same key gives the same name, and the daemon has no two of one name. */
function containerName({ labels, idempotencyKey }: SandboxSpec): string {
  const run =
    (labels['hermes.run'] ?? 'single').replace(/[^A-Za-z0-9]/g, '').slice(0, 8) || 'single';
  const key = createHash('sha256').update(idempotencyKey).digest('hex').slice(0, 12);
  return `hermes-${run}-${key}`;
}

function absolute(workdir: string | undefined, base: string): string {
  if (workdir === undefined) return base;
  return workdir.startsWith('/') ? workdir : `${base.replace(/\/$/, '')}/${workdir}`;
}

function gone(ref: SandboxRef): SandboxError {
  const message = `sandbox ${ref.name ?? ref.id} does not run any more`;
  return new SandboxError('SANDBOX_GONE', 'sandbox', message);
}
