import { posix } from 'node:path';

const ABSOLUTE = /(?<![\w.}/:-])\/[\w.+@-]+(?:\/[\w.+@-]+)+/g;
const IN_HOME = /(?:~|\$HOME|\$\{HOME\})\/([\w.+@/-]+)/g;

/** Paths that texts name: absolute ones, and `~/x` as they are written there. */
export function namedPlaces(texts: readonly string[]): readonly string[] {
  const absolute = texts.flatMap((text) => text.match(ABSOLUTE) ?? []);
  const inHome = texts.flatMap((text) =>
    [...text.matchAll(IN_HOME)].map(([, rest]) => `~/${rest}`),
  );
  const tidy = [...absolute, ...inHome].map((path) => posix.normalize(path.replace(/[./]+$/, '')));
  return [...new Set(tidy)].sort();
}
