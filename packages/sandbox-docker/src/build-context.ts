import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { join, normalize, relative, sep } from 'node:path';
import dockerignore from '@balena/dockerignore';
import { type ImageSpec, SandboxError } from '@hermes/sandbox';
import { pack } from 'tar-fs';

type BuildSpec = Extract<ImageSpec, { kind: 'build' }>;

/** What a build is made from. */
export type BuildContext = Readonly<{
  /** Path of the Dockerfile in the context. */
  dockerfile: string;
  /** Its text. */
  text: string;
  /** Changes with every name, mode and byte that the builder gets. */
  digest: string;
  archive: () => NodeJS.ReadableStream;
}>;

/** Reads a build's folder as the builder will get it. Throws IMAGE_BUILD_FAILED for one that cannot be read. */
export async function readBuildContext(spec: BuildSpec): Promise<BuildContext> {
  try {
    return await read(spec);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `build an image from ${spec.contextDir}: ${reason}`;
    throw new SandboxError('IMAGE_BUILD_FAILED', 'request', message, { cause });
  }
}

async function read({ contextDir, dockerfile = 'Dockerfile' }: BuildSpec): Promise<BuildContext> {
  const inside = normalize(relative(contextDir, join(contextDir, dockerfile)));
  if (inside.startsWith('..')) throw new Error(`the Dockerfile ${dockerfile} lies outside of it`);
  const text = await readFile(join(contextDir, inside), 'utf8');
  const isWanted = await wantedBy(contextDir, inside);
  const paths = (await listTree(contextDir)).filter(isWanted).sort();
  return {
    dockerfile: inside,
    text,
    digest: await digestOf(contextDir, paths),
    // Every wanted path is named, so no folder is walked again.
    archive: () => pack(contextDir, { entries: paths, ignore: () => true }),
  };
}

/** What `.dockerignore` leaves in, which never takes away the Dockerfile itself. */
async function wantedBy(
  contextDir: string,
  dockerfile: string,
): Promise<(path: string) => boolean> {
  const text = await readFile(join(contextDir, '.dockerignore'), 'utf8').catch(() => '');
  const kept = ['.dockerignore', dockerfile];
  const filter = dockerignore.default({ ignorecase: false }).add(text).createFilter();
  return (path) => kept.some((one) => one === path || one.startsWith(path + sep)) || filter(path);
}

async function listTree(root: string, folder = ''): Promise<string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true });
  const nested = entries.map(async (entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? [path, ...(await listTree(root, path))] : [path];
  });
  return (await Promise.all(nested)).flat();
}

async function digestOf(root: string, paths: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const path of paths) {
    const full = join(root, path);
    const stat = await lstat(full);
    hash.update(`${JSON.stringify([path, stat.mode, stat.isFile() ? stat.size : 0])}\n`);
    if (stat.isSymbolicLink()) hash.update(JSON.stringify(await readlink(full)));
    if (stat.isFile())
      for await (const chunk of createReadStream(full)) hash.update(chunk as Buffer);
  }
  return hash.digest('hex');
}
