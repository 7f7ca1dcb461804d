import type { ImageSpec, SandboxRef } from '@hermes/sandbox';
import { z } from 'zod';
import type { Engine } from './engine.ts';
import { engineError } from './engine-error.ts';
import { limited, SNAPSHOT_MS } from './limited.ts';

const answerSchema = z.looseObject({ Id: z.string() });

/** An image of a container's files. The supervisor's folders are mounts and no part of it; neither are secrets, which only commands get. */
export async function commitContainer(
  { docker }: Engine,
  ref: SandboxRef,
  name: string,
  signal: AbortSignal | undefined,
): Promise<ImageSpec> {
  const tag =
    name
      .toLowerCase()
      .replace(/[^a-z0-9_.-]/g, '-')
      .slice(0, 120) || 'unnamed';
  try {
    const answer: unknown = await docker.getContainer(ref.id).commit({
      _query: { container: ref.id, repo: 'hermes-snapshot', tag },
      _body: { Labels: emptied(ref.labels) },
      abortSignal: limited(SNAPSHOT_MS, signal),
    });
    return { kind: 'snapshot', id: answerSchema.parse(answer).Id };
  } catch (cause) {
    throw engineError(cause, `take a snapshot of ${ref.name ?? ref.id}`);
  }
}

/** An image takes over the labels of its container, and a container those of its image: whose this one was must not be said of the next. */
function emptied(labels: Readonly<Record<string, string>>): Record<string, string> {
  const names = [...Object.keys(labels), 'hermes.docker'];
  return { ...Object.fromEntries(names.map((name) => [name, ''])), 'hermes.snapshot': '1' };
}
