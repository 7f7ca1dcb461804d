import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, dirname, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SandboxError, supervisorFiles } from '@hermes/sandbox';
import type Dockerode from 'dockerode';
import { pack } from 'tar-fs';
import type { Engine } from './engine.ts';
import { engineError, failureOf, isMissing } from './engine-error.ts';
import { ANSWER_MS, limited } from './limited.ts';
import { PROGRAM_DIR } from './places.ts';

const COMPLETE = 'complete';
const LONGEST_SETUP_MS = 60_000;
const LOOK_MS = 100;

/**
 * The volume that holds this package's supervisor, made once for each daemon and mounted by every container: so a sandbox costs
 * no upload, also where the daemon is another machine.
 */
export class SupervisorVolume {
  readonly #docker: Dockerode;
  #name: Promise<string> | null = null;

  constructor({ docker }: Engine) {
    this.#docker = docker;
  }

  /** Its name, for containers of this image, of which nothing runs for it. Asked once for all, so nobody's signal stops it. */
  async ready(image: string): Promise<string> {
    try {
      this.#name ??= this.#ensure(image);
      return await this.#name;
    } catch (cause) {
      this.#name = null;
      throw engineError(cause, 'store the supervisor in a volume');
    }
  }

  /** Somebody may have pruned it; a container would get an empty one then, so it is made again. */
  async check(): Promise<void> {
    const known = this.#name;
    if (known === null) return;
    const isThere = await known.then((name) => this.#isThere(name)).catch(() => false);
    if (!isThere && this.#name === known) this.#name = null;
  }

  async #isThere(name: string): Promise<boolean> {
    try {
      await this.#docker.getVolume(name).inspect({ abortSignal: limited(ANSWER_MS) });
      return true;
    } catch (cause) {
      if (isMissing(cause)) return false;
      throw cause;
    }
  }

  async #ensure(image: string): Promise<string> {
    const files = filesToShip();
    const name = `hermes-supervisor-${await digestOf(files)}`;
    const helper = await claimHelper(this.#docker, name, image);
    try {
      if (!(await isComplete(helper)))
        await helper.putArchive(archiveOf(files), {
          path: PROGRAM_DIR,
          abortSignal: limited(LONGEST_SETUP_MS),
        });
    } finally {
      await helper.remove({ force: true, abortSignal: limited(ANSWER_MS) });
    }
    return name;
  }
}

function filesToShip(): readonly string[] {
  const { binary, fallback } = supervisorFiles();
  const programs = [binary('amd64'), binary('arm64')].filter((path) => path !== null);
  return [...programs, fallback];
}

async function digestOf(files: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const file of files) hash.update(await readFile(file));
  return hash.digest('hex').slice(0, 16);
}

/** A container that is never started: the way to a volume's files. Its name lets one process at a time fill the volume. */
async function claimHelper(
  docker: Dockerode,
  volume: string,
  image: string,
): Promise<Dockerode.Container> {
  const deadline = performance.now() + LONGEST_SETUP_MS;
  for (;;) {
    try {
      return await createHelper(docker, volume, image);
    } catch (cause) {
      if (failureOf(cause).status !== 409) throw cause;
    }
    // Another process fills it, or died over it.
    if (performance.now() > deadline) await removeHelper(docker, volume);
    await sleep(LOOK_MS);
  }
}

function createHelper(docker: Dockerode, volume: string, image: string) {
  return docker.createContainer({
    abortSignal: limited(LONGEST_SETUP_MS),
    name: `${volume}-setup`,
    Image: image,
    Entrypoint: [`${PROGRAM_DIR}/nothing`],
    Labels: { 'hermes.supervisor': volume },
    HostConfig: {
      NetworkMode: 'none',
      Mounts: [{ Type: 'volume', Source: volume, Target: PROGRAM_DIR, ...noCopy() }],
    },
  });
}

function noCopy(): Pick<Dockerode.MountSettings, 'VolumeOptions'> {
  const DriverConfig = { Name: 'local', Options: {} };
  return { VolumeOptions: { NoCopy: true, Labels: {}, DriverConfig } };
}

async function removeHelper(docker: Dockerode, volume: string): Promise<void> {
  try {
    await docker.getContainer(`${volume}-setup`).remove({
      force: true,
      abortSignal: limited(ANSWER_MS),
    });
  } catch (cause) {
    if (!isMissing(cause)) throw cause;
  }
}

/** The mark is the archive's last entry. */
async function isComplete(helper: Dockerode.Container): Promise<boolean> {
  try {
    const answer = await helper.infoArchive({
      path: `${PROGRAM_DIR}/${COMPLETE}`,
      abortSignal: limited(ANSWER_MS),
    });
    // An answer that nobody reads would keep its connection, and with it this process.
    answer.resume();
    return true;
  } catch (cause) {
    if (isMissing(cause)) return false;
    throw cause;
  }
}

function archiveOf(files: readonly string[]): NodeJS.ReadableStream {
  const folder = dirname(files.at(-1) ?? '');
  const archive = pack(folder, {
    entries: files.map((file) => relative(folder, file)),
    map: (header) => ({ ...header, name: basename(header.name), mode: 0o755, uid: 0, gid: 0 }),
    finalize: false,
    finish: (whole) => {
      whole.entry({ name: COMPLETE, mode: 0o644 }, '');
      whole.finalize();
    },
  });
  if (files.length < 2)
    throw new SandboxError('CONFIG', 'provider', 'sandbox docker: this package has no supervisor');
  return archive;
}
