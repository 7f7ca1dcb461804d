import { setTimeout as sleep } from 'node:timers/promises';
import { type ProvisionEvent, SandboxError } from '@hermes/sandbox';
import type { Engine } from './engine.ts';
import { engineError, failureOf } from './engine-error.ts';
import { imageAdvice, imageFailure } from './image-advice.ts';
import { splitReference } from './image-reference.ts';
import { type ProgressLine, readProgress } from './progress-stream.ts';
import { retryAfter } from './retry-after.ts';
import type { ResolvedDockerSettings } from './settings.ts';

type Options = Readonly<{
  signal: AbortSignal;
  tell: (event: ProvisionEvent) => void;
  settings: Pick<ResolvedDockerSettings, 'registryAuth' | 'pullTimeoutMs'>;
}>;

const TRIES = 4;
const FIRST_PAUSE_MS = 2000;
const LONGEST_PAUSE_MS = 120_000;
const BUSY =
  /toomanyrequests|too many requests|\b(429|503)\b|TLS handshake timeout|i\/o timeout|connection reset|unexpected EOF/i;

/** Pulls an image, and tries again when the registry is busy, after the time that it asks for. */
export async function pullImage(engine: Engine, ref: string, options: Options): Promise<void> {
  const late = AbortSignal.timeout(options.settings.pullTimeoutMs);
  const signal = AbortSignal.any([options.signal, late]);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await pullOnce(engine, ref, { ...options, signal });
    } catch (cause) {
      const attempted = `pull image ${ref} at ${engine.address}`;
      if (late.aborted) throw tooSlow(attempted, options.settings.pullTimeoutMs);
      if (!isBusy(cause) || options.signal.aborted) throw pullError(cause, attempted);
      const askedMs = await retryAfter(ref, signal);
      if (attempt === TRIES) throw pullError(cause, attempted, askedMs);
      const pauseMs = pauseAfter(askedMs, attempt);
      const why = `the registry is busy, again in ${Math.round(pauseMs / 1000)} s`;
      options.tell({ phase: 'pull', message: `${ref}: ${why}` });
      // When it is cut short, so is the next try, which says why.
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

async function pullOnce({ docker }: Engine, ref: string, options: Options): Promise<void> {
  const { signal, settings, tell } = options;
  const query = { ...splitReference(ref), abortSignal: signal };
  const stream =
    settings.registryAuth === undefined
      ? await docker.createImage(query)
      : await docker.createImage(settings.registryAuth, query);
  const layers = new Map<string, Readonly<{ current: number; total: number }>>();
  for await (const line of readProgress(stream)) {
    if (line.error !== undefined) throw new Error(line.error);
    tell(progressOf(ref, line, layers));
  }
}

/** Bytes over all layers that are on their way. */
function progressOf(
  ref: string,
  { id, status, progressDetail }: ProgressLine,
  layers: Map<string, Readonly<{ current: number; total: number }>>,
): ProvisionEvent {
  const { current, total } = progressDetail ?? {};
  if (id !== undefined && status === 'Downloading' && current !== undefined && total !== undefined)
    layers.set(id, { current, total });
  const sum = (key: 'current' | 'total') =>
    [...layers.values()].reduce((all, one) => all + one[key], 0);
  const bytes = layers.size === 0 ? {} : { current: sum('current'), total: sum('total') };
  return { phase: 'pull', message: [ref, id, status].filter(Boolean).join(' '), ...bytes };
}

function isBusy(cause: unknown): boolean {
  return BUSY.test(failureOf(cause).message);
}

/** What the registry asks for, else twice as long each time. */
function pauseAfter(askedMs: number | null, attempt: number): number {
  return Math.min(askedMs ?? FIRST_PAUSE_MS * 2 ** (attempt - 1), LONGEST_PAUSE_MS);
}

/** retryAfterMs: what a registry that stayed busy asks of whoever tries again later. */
function pullError(
  cause: unknown,
  attempted: string,
  retryAfterMs: number | null = null,
): SandboxError {
  const { message, status } = failureOf(cause);
  const why = status === 404 ? 'missing' : imageFailure(message);
  const fail = (code: 'AUTH' | 'IMAGE_NOT_FOUND' | 'IMAGE_PULL_FAILED') =>
    new SandboxError(code, 'request', `${attempted}: ${message}${imageAdvice(why)}`, {
      cause,
      retryable: code === 'IMAGE_PULL_FAILED',
      ...(retryAfterMs === null ? {} : { details: { retryAfterMs } }),
    });
  if (why === 'denied') return fail('AUTH');
  if (why === 'missing') return fail('IMAGE_NOT_FOUND');
  const known = engineError(cause, attempted);
  return known.code === 'SANDBOX_UNHEALTHY' ? fail('IMAGE_PULL_FAILED') : known;
}

function tooSlow(attempted: string, ms: number): SandboxError {
  const message = `${attempted}: not done within ${Math.round(ms / 1000)} s (setting pullTimeoutMs)`;
  return new SandboxError('IMAGE_PULL_FAILED', 'request', message, { retryable: true });
}
