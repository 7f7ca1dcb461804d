import { type CreateOptions, type ImageSpec, SandboxError } from '@hermes/sandbox';
import type Dockerode from 'dockerode';
import { type BaseImage, buildImage, planBuild } from './build-image.ts';
import { type Engine, inspectImage } from './engine.ts';
import { engineError, isMissing } from './engine-error.ts';
import { IMAGE_NAME } from './image-reference.ts';
import { ANSWER_MS, limited } from './limited.ts';
import { pullImage } from './pull-image.ts';
import type { ResolvedDockerSettings } from './settings.ts';
import { SharedWork } from './shared-work.ts';

/** An image that the daemon has. */
export type ReadyImage = Readonly<{
  id: string;
  /** As people know it. */
  name: string;
  /** As Docker names processors: amd64, arm64. */
  architecture: string;
  workdir: string | null;
  user: string | null;
  env: Readonly<Record<string, string>>;
  digest: string | null;
}>;

/** The images of a daemon, pulled or built when a sandbox needs them. */
export class Images {
  readonly #engine: Engine;
  readonly #settings: ResolvedDockerSettings;
  readonly #work = new SharedWork();

  constructor(engine: Engine, settings: ResolvedDockerSettings) {
    this.#engine = engine;
    this.#settings = settings;
  }

  /** Finds, pulls or builds. Throws CONFIG where neither the spec nor the settings name one. */
  async ready(spec: ImageSpec | undefined, options: CreateOptions): Promise<ReadyImage> {
    const image = spec ?? this.#default();
    if (image.kind === 'snapshot') return this.#mustHave(image.id);
    if (image.kind === 'ref') return this.#pulled(image.ref, options);
    if (image.kind === 'build') return this.#built(image, options);
    const message = `sandbox docker: images of kind ${image.kind} are not run here`;
    throw new SandboxError('UNSUPPORTED', 'request', message);
  }

  #default(): ImageSpec {
    const { image } = this.#settings;
    if (image !== undefined) return { kind: 'ref', ref: image };
    const message =
      'create a sandbox at docker: the task names no image; set one (setting image, or the variable TERMINAL_DOCKER_IMAGE)';
    throw new SandboxError('CONFIG', 'request', message);
  }

  async #pulled(ref: string, { signal, onProgress }: CreateOptions): Promise<ReadyImage> {
    const present = await this.find(ref);
    if (present !== null) return present;
    await this.#work.do(`pull ${ref}`, { signal, onProgress }, async (tell, stop) => {
      const settings = this.#settings;
      await pullImage(this.#engine, ref, { settings, tell, signal: stop });
      return ref;
    });
    return this.#mustHave(ref);
  }

  async #built(
    spec: Extract<ImageSpec, { kind: 'build' }>,
    { signal, onProgress }: CreateOptions,
  ): Promise<ReadyImage> {
    const plan = await planBuild(spec, await this.#base(), this.#settings.buildTimeoutMs);
    const present = await this.find(plan.tag);
    if (present !== null) return present;
    await this.#work.do(`build ${plan.tag}`, { signal, onProgress }, async (tell, stop) => {
      await buildImage(this.#engine, plan, { tell, signal: stop });
      return plan.tag;
    });
    return this.#mustHave(plan.tag);
  }

  async #base(): Promise<BaseImage | null> {
    const { image } = this.#settings;
    if (image === undefined) return null;
    return { ref: image, id: (await this.find(image))?.id ?? null };
  }

  /** Null when the daemon does not have it. */
  async find(name: string): Promise<ReadyImage | null> {
    if (!IMAGE_NAME.test(name)) throw noName(name);
    try {
      return describeImage(name, await inspectImage(this.#engine, name, limited(ANSWER_MS)));
    } catch (cause) {
      if (isMissing(cause)) return null;
      throw engineError(cause, `look for image ${name}`);
    }
  }

  async #mustHave(name: string): Promise<ReadyImage> {
    const image = await this.find(name);
    if (image !== null) return image;
    const { address } = this.#engine;
    const message = `find image ${name} at ${address}: the daemon has none; make it again there, or set host to the daemon that has it`;
    throw new SandboxError('IMAGE_NOT_FOUND', 'request', message);
  }
}

function noName(name: string): SandboxError {
  const message = `look for image '${name}': that is no name of an image; give [HOST/]NAME[:TAG]`;
  return new SandboxError('CONFIG', 'request', message);
}

function describeImage(name: string, info: Dockerode.ImageInspectInfo): ReadyImage {
  const { WorkingDir, User, Env } = info.Config ?? {};
  return {
    id: info.Id,
    name,
    architecture: info.Architecture,
    workdir: WorkingDir ? WorkingDir : null,
    user: User ? User : null,
    env: Object.fromEntries((Env ?? []).map(splitVariable)),
    digest: info.RepoDigests?.[0]?.split('@')[1] ?? info.Id,
  };
}

function splitVariable(text: string): [string, string] {
  const at = text.indexOf('=');
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
