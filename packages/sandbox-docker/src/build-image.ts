import { createHash } from 'node:crypto';
import { type ImageSpec, type ProvisionEvent, SandboxError } from '@hermes/sandbox';
import { type BuildContext, readBuildContext } from './build-context.ts';
import { BuildLog } from './build-log.ts';
import type { Engine } from './engine.ts';
import { engineError, failureOf } from './engine-error.ts';
import { imageAdvice, imageFailure } from './image-advice.ts';
import { readProgress } from './progress-stream.ts';

type BuildSpec = Extract<ImageSpec, { kind: 'build' }>;

/** A build, and the name that its content gives to the image. */
export type BuildPlan = Readonly<{
  tag: string;
  context: BuildContext;
  buildArgs: Readonly<Record<string, string>>;
  contextDir: string;
  timeoutMs: number;
}>;

/** The image that `BASE` names by default, with the id that it has now. */
export type BaseImage = Readonly<{ ref: string; id: string | null }>;

/** What only BuildKit can do; everything else goes to the classic builder, which every daemon has. */
const NEEDS_BUILDKIT =
  /^\s*#\s*syntax\s*=|^\s*(COPY|ADD|RUN)\b.*(\s--(chmod|link|mount|network|security|parents|exclude|checksum)\b|<<-?["']?\w)/im;

/** Reads what is to be built. A Dockerfile that declares ARG BASE begins from `base`, unless the spec says another. */
export async function planBuild(
  spec: BuildSpec,
  base: BaseImage | null,
  timeoutMs: number,
): Promise<BuildPlan> {
  const context = await readBuildContext(spec);
  const isBased = base !== null && /^\s*ARG\s+BASE\b/im.test(context.text);
  const buildArgs = { ...(isBased ? { BASE: base.ref } : {}), ...spec.buildArgs };
  const content = [context.digest, context.dockerfile, buildArgs, isBased ? base.id : null];
  const digest = createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 32);
  const tag = `hermes-build:${digest}`;
  return {
    tag,
    context,
    buildArgs,
    contextDir: spec.contextDir,
    timeoutMs: spec.timeoutMs ?? timeoutMs,
  };
}

/** Words of an image that the Dockerfile begins from and that does not come. */
const OF_THE_BASE = /Get "https?:|pull access denied|manifest .*(unknown|not found)/i;

/** Builds the image under the plan's tag. Throws IMAGE_BUILD_FAILED with the end of the log. */
export async function buildImage(
  { docker, address }: Engine,
  { tag, context, buildArgs, contextDir, timeoutMs }: BuildPlan,
  options: Readonly<{ signal: AbortSignal; tell: (event: ProvisionEvent) => void }>,
): Promise<void> {
  const late = AbortSignal.timeout(timeoutMs);
  const base = buildArgs.BASE === undefined ? '' : ` on ${buildArgs.BASE}`;
  const attempted = `build an image from ${contextDir}${base} at ${address}`;
  const log = new BuildLog();
  const fail = (reason: string, cause?: unknown) => {
    const advice = imageAdvice(OF_THE_BASE.test(reason) ? imageFailure(reason) : null);
    const text = `${attempted}: ${reason}${advice}${log.tail}`;
    return new SandboxError('IMAGE_BUILD_FAILED', 'request', text, { cause });
  };
  try {
    const stream = await docker.buildImage(context.archive(), {
      // As a query of its own: the library would open a session for BuildKit, which lives on for minutes and serves credentials alone.
      _query: {
        t: tag,
        dockerfile: context.dockerfile,
        buildargs: buildArgs,
        labels: { 'hermes.build': '1' },
        rm: true,
        forcerm: true,
        ...(NEEDS_BUILDKIT.test(context.text) ? { version: '2' } : {}),
      },
      abortSignal: AbortSignal.any([options.signal, late]),
    } as object);
    for await (const line of readProgress(stream)) {
      const text = log.add(line);
      if (line.error !== undefined) throw fail(line.error);
      const message = (text || line.status || '').trim();
      if (message !== '') options.tell({ phase: 'build', message });
    }
  } catch (cause) {
    if (late.aborted) throw fail(`not done within ${Math.round(timeoutMs / 1000)} s`, cause);
    if (SandboxError.isInstance(cause)) throw cause;
    const known = engineError(cause, attempted);
    throw ['TRANSPORT', 'CANCELLED', 'CAPACITY'].includes(known.code)
      ? known
      : fail(failureOf(cause).message, cause);
  }
}
