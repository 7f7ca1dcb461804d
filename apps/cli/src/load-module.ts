import { readFile, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { HermesError } from '@hermes/protocol';

/** True for what is a place in the file system (`./x`, `../x`, `/x`) rather than the name of a package. */
export function isPath(specifier: string): boolean {
  return (
    specifier.startsWith('./') ||
    specifier.startsWith('../') ||
    specifier === '.' ||
    isAbsolute(specifier)
  );
}

/** How to write the path of a file that was named without `./`; null: there is none. */
export async function pathOf(specifier: string, from: string): Promise<string | null> {
  if (isPath(specifier)) return null;
  const found = await stat(resolve(from, specifier)).catch(() => null);
  return found === null ? null : `./${specifier}`;
}

/** Imports a file, the folder of a package, or a package by name, as seen from `from`. Null: there is no such package. */
export async function loadModule(
  specifier: string,
  from: string,
): Promise<Readonly<Record<string, unknown>> | null> {
  const entry = isPath(specifier)
    ? await entryOfPath(resolve(from, specifier))
    : await entryOfPackage(specifier, from);
  if (entry === null) return null;
  try {
    return (await import(pathToFileURL(entry).href)) as Readonly<Record<string, unknown>>;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new HermesError('config', 'CONFIG', `could not load ${specifier} (${entry}): ${reason}`, {
      cause,
    });
  }
}

async function entryOfPath(path: string): Promise<string | null> {
  const found = await stat(path).catch(() => null);
  if (found === null) return null;
  return found.isDirectory() ? entryOfFolder(path) : path;
}

/** Looks through the `node_modules` folders upward, as Node does for an import that stands in `from`. */
async function entryOfPackage(name: string, from: string): Promise<string | null> {
  const folder = join(from, 'node_modules', name);
  if ((await stat(folder).catch(() => null))?.isDirectory()) return entryOfFolder(folder);
  const parent = dirname(from);
  return parent === from ? null : entryOfPackage(name, parent);
}

async function entryOfFolder(folder: string): Promise<string> {
  const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => null);
  if (text === null) return join(folder, 'index.js');
  const manifest = JSON.parse(text) as { exports?: unknown; main?: string };
  const exported = entryOfExports(manifest.exports);
  return join(folder, exported ?? manifest.main ?? 'index.js');
}

function entryOfExports(exported: unknown): string | null {
  if (typeof exported === 'string') return exported;
  if (typeof exported !== 'object' || exported === null) return null;
  const conditions = exported as Readonly<Record<string, unknown>>;
  return entryOfExports(
    conditions['.'] ?? conditions.import ?? conditions.node ?? conditions.default,
  );
}
