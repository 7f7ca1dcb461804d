import { statfs } from 'node:fs/promises';
import { z } from 'zod';
import type { Engine } from './engine.ts';
import { ANSWER_MS, limited } from './limited.ts';

const infoSchema = z.looseObject({ DockerRootDir: z.string() });

/** What is free on the disk where the daemon keeps its containers, and where that is. */
export type FreeDisk = Readonly<{ bytes: number; folder: string }>;

/** Looks at the daemon's disk; only where it is one of this machine's. */
export class DaemonDisk {
  readonly #engine: Engine;
  #folder: Promise<string> | null = null;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Null: it cannot be seen from here. */
  async free(): Promise<FreeDisk | null> {
    if (!this.#engine.isLocal) return null;
    try {
      this.#folder ??= this.#askFolder();
      const folder = await this.#folder;
      const { bavail, bsize } = await statfs(folder);
      return { bytes: bavail * bsize, folder };
    } catch {
      this.#folder = null;
      return null; // a daemon in a machine of its own behind a local socket, or one that does not answer
    }
  }

  async #askFolder(): Promise<string> {
    const { docker } = this.#engine;
    const ask = docker.info as (options: object) => Promise<unknown>;
    const answer = await ask.call(docker, { abortSignal: limited(ANSWER_MS) });
    return infoSchema.parse(answer).DockerRootDir;
  }
}
