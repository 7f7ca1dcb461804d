import { posix } from 'node:path';
import type { SandboxFiles } from '@hermes/sandbox';

const MAX_SUGGESTIONS = 5;

/** Up to five neighbours whose names share most characters with a missing file's; spelled as the path was. */
export async function similarFiles(
  files: SandboxFiles,
  path: string,
  spelled: string,
): Promise<readonly string[]> {
  const listed = await files.list(posix.dirname(path));
  if (!listed.ok) return [];
  const missing = posix.basename(path);
  const wanted = missing.toLowerCase();
  const scored = listed.value
    .filter(({ type }) => type !== 'directory')
    .map((stat) => posix.basename(stat.path))
    .filter((name) => name !== missing) // a link that leads nowhere
    .map((name) => ({ name, score: sharedCharacters(wanted, name.toLowerCase()) }))
    .filter(({ score }) => score >= 0.5)
    .sort((one, other) => other.score - one.score || (one.name < other.name ? -1 : 1));
  const folder = posix.dirname(spelled);
  const prefix = folder === '.' && !spelled.startsWith('.') ? '' : folder;
  return scored.slice(0, MAX_SUGGESTIONS).map(({ name }) => posix.join(prefix, name));
}

/** 1: the same characters, as often; 0: none in common. */
function sharedCharacters(one: string, other: string): number {
  const rest = new Map<string, number>();
  for (const character of other) rest.set(character, (rest.get(character) ?? 0) + 1);
  let shared = 0;
  for (const character of one) {
    const left = rest.get(character) ?? 0;
    if (left === 0) continue;
    rest.set(character, left - 1);
    shared += 1;
  }
  return (2 * shared) / Math.max(1, [...one].length + [...other].length);
}
