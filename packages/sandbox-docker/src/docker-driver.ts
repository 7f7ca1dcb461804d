import type { Clock } from '@hermes/protocol';
import {
  type DriverCreateOptions,
  type DriverSandbox,
  type LabelFilter,
  type PreflightReport,
  type SandboxDriver,
  SandboxError,
  type SandboxRef,
  type SandboxSpec,
} from '@hermes/sandbox';
import { dockerCapabilities } from './capabilities.ts';
import { type ContainerPlan, containerOptions } from './container-options.ts';
import { ContainerWatch } from './container-watch.ts';
import { DiskGuard } from './disk-guard.ts';
import { DockerSandbox } from './docker-sandbox.ts';
import type { Engine } from './engine.ts';
import { engineError, failureOf, isMissing } from './engine-error.ts';
import { Images } from './images.ts';
import { ANSWER_MS, limited, MAKING_MS } from './limited.ts';
import { planContainer } from './plan-container.ts';
import { checkEngine } from './preflight.ts';
import { removeContainer } from './remove-container.ts';
import { readRecord, refOf, type SandboxRecord } from './sandbox-record.ts';
import type { ResolvedDockerSettings } from './settings.ts';
import { SupervisorVolume } from './supervisor-volume.ts';

const systemClock: Pick<Clock, 'now'> = {
  now: () => ({ wallMs: Date.now(), monoMs: performance.now() }),
};

/** Sandboxes as containers of one daemon, which knows all there is of them. */
export class DockerDriver implements SandboxDriver {
  readonly id = 'docker';
  readonly capabilities: SandboxDriver['capabilities'];
  readonly #engine: Engine;
  readonly #settings: ResolvedDockerSettings;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #images: Images;
  readonly #volume: SupervisorVolume;
  readonly #watch: ContainerWatch;
  readonly #guard: DiskGuard;
  readonly #open = new Map<string, DockerSandbox>();

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
    this.#volume = new SupervisorVolume(engine);
    this.#watch = new ContainerWatch(engine);
    this.#guard = new DiskGuard({
      engine,
      limits: settings,
      sandboxes: () => [...this.#open.values()],
      evict: (id, why) => this.#evict(id, why),
    });
  }

  async preflight(signal?: AbortSignal): Promise<PreflightReport> {
    const lackOfRoom = () => this.#guard.lackOfRoom();
    const findings = await checkEngine(this.#engine, this.#settings, lackOfRoom, signal);
    const { capabilities } = this;
    return { ok: findings.problems.length === 0, ...findings, capabilities };
  }

  async create(spec: SandboxSpec, options: DriverCreateOptions): Promise<DriverSandbox> {
    await this.#guard.checkRoom();
    try {
      return await this.#createOnce(spec, options);
    } catch (cause) {
      if (!isImageGone(cause)) throw cause;
      // Somebody removed the image after it was looked for: it is had once more.
      return this.#createOnce(spec, options);
    }
  }

  async #createOnce(spec: SandboxSpec, options: DriverCreateOptions): Promise<DriverSandbox> {
    const [image] = await Promise.all([
      this.#images.ready(spec.image, options),
      this.#volume.check(),
    ]);
    const volume = await this.#volume.ready(image.id);
    options.onProgress?.({ phase: 'create' });
    const { plan, record } = planContainer({
      ...{ spec, image, volume, settings: this.#settings },
      maxDiskBytes: options.wishedLimits?.diskBytes ?? null,
      nowMs: this.#clock.now().wallMs,
    });
    const id = await this.#make(plan);
    try {
      options.signal?.throwIfAborted();
      return await this.#adopt({ ref: refOf(id, plan.name, spec.labels), record, isNew: true });
    } catch (error) {
      await removeContainer(this.#engine, id);
      throw error;
    }
  }

  async attach(ref: SandboxRef, signal?: AbortSignal): Promise<DriverSandbox> {
    const held = this.#open.get(ref.id);
    if (held !== undefined) return held;
    try {
      const container = this.#engine.docker.getContainer(ref.id);
      const info = await container.inspect({ abortSignal: limited(ANSWER_MS, signal) });
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
      .listContainers({ all: true, filters, abortSignal: limited(ANSWER_MS) })
      .catch((cause) => Promise.reject(engineError(cause, 'list containers')));
    for (const { Id, Names, Labels } of found)
      if (readRecord(Labels) !== null) yield refOf(Id, Names[0] ?? '', Labels);
  }

  async destroy(ref: SandboxRef): Promise<void> {
    this.#watch.remove(ref.id);
    this.#open.get(ref.id)?.markGone('destroyed', 'it was destroyed');
    await removeContainer(this.#engine, ref.id);
  }

  async close(): Promise<void> {
    this.#watch.close();
    this.#guard.close();
    this.#open.clear();
  }

  async #make(plan: ContainerPlan): Promise<string> {
    const { name, ...body } = containerOptions(plan);
    // As query and body of their own: the library would send all of it as both.
    const options = { _query: { name }, _body: body, abortSignal: limited(MAKING_MS) };
    try {
      return (await this.#engine.docker.createContainer(options as object)).id;
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
    this.#guard.watch(sandbox);
    sandbox.gone.addEventListener('abort', () => this.#open.delete(ref.id), { once: true });
    return sandbox;
  }

  /** The container is removed before anything else: what it has filled is needed. */
  async #evict(id: string, why: string): Promise<void> {
    this.#watch.remove(id);
    this.#open.get(id)?.markGone('evicted', why);
    await removeContainer(this.#engine, id).catch(() => undefined); // its sandbox is disposed, too, and tells then
  }
}

function isImageGone(cause: unknown): boolean {
  const { cause: inner } = (cause ?? {}) as { cause?: unknown };
  const { status, message } = failureOf(inner);
  return status === 404 && /no such image/i.test(message);
}

function gone(ref: SandboxRef): SandboxError {
  const message = `sandbox ${ref.name ?? ref.id} does not run any more`;
  return new SandboxError('SANDBOX_GONE', 'sandbox', message);
}
