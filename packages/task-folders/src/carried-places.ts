import { posix } from 'node:path';
import type { ToolContext } from '@hermes/tools';
import type { TaskFolder } from './types.ts';

/** Places of the system and of the verifier, and those that only hold data of the task where it names them. */
const NOT_CARRIED =
  /^\/(?:\.hermes|bin|boot|dev|etc|home|lib(?:32|64|x32)?|logs|proc|root|run|sbin|solution|sys|tests|tmp|usr)(?:\/|$)/;
/** What no task can mean as its data: it would decide over the verifier's own programs. */
const NEVER_CARRIED =
  /^\/(?:\.hermes|bin|boot|dev|lib(?:32|64|x32)?|proc|sbin|solution|sys|tests|usr|run\/hermes\S*|etc\/ld\.so\S*|logs\/verifier)(?:\/|$)/;
const LOGS = ['/logs/agent', '/logs/artifacts'];

/**
 * The places of the agent's sandbox that go before the verifier: the working directory, every folder of the root that is not
 * the system's (an image's /var is), and the paths outside of them that the task names. Dot names of the home count only where
 * the instruction names them: startup files, packages and programs would be run by the verifier.
 */
export async function carriedPlaces(
  folder: TaskFolder,
  { agent, verifier }: Readonly<{ agent: ToolContext; verifier: ToolContext }>,
  home: string,
): Promise<readonly string[]> {
  const named = folder.grading.carries === 'artifacts' ? folder.artifacts : folder.namedPlaces;
  const workdir = agent.sandbox?.info.workdir ?? '/';
  // Those of the verifier, too: one that the agent has removed shall be missing.
  const roots = [...(await rootFolders(agent)), ...(await rootFolders(verifier))];
  const places = [
    ...named.filter((path) => isOwnData(path, folder)).map((path) => path.replace(/^~/, home)),
    ...(folder.grading.carries === 'artifacts' ? [] : [workdir, ...roots]),
    ...LOGS,
  ].map((place) => posix.resolve(workdir, place));
  const allowed = places.filter(
    (place) => (place !== home || place === workdir) && !NEVER_CARRIED.test(place),
  );
  return withoutNested([...new Set(allowed)]);
}

function isOwnData(path: string, { grading, instruction }: TaskFolder): boolean {
  if (grading.carries === 'artifacts') return true;
  const inHome = /^(?:~|\/root|\/home\/[^/]+)\/(.*)$/.exec(path)?.[1];
  return inHome === undefined || !inHome.startsWith('.') || instruction.includes(inHome);
}

async function rootFolders({ sandbox }: ToolContext): Promise<string[]> {
  const entries = (await sandbox?.files.list('/')) ?? null;
  if (entries === null || !entries.ok) return [];
  const folders = entries.value.filter(({ type }) => type === 'directory');
  const isOfImage = sandbox?.capabilities.images === true;
  return folders
    .map(({ path }) => path)
    .filter((path) => !NOT_CARRIED.test(path) && !(isOfImage && path === '/var'));
}

function withoutNested(places: readonly string[]): string[] {
  const isInside = (place: string, other: string): boolean =>
    place !== other && (other === '/' || place.startsWith(`${other}/`));
  return places.filter((place) => !places.some((other) => isInside(place, other))).sort();
}
