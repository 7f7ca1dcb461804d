import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { SandboxError, supervisorFiles } from '@hermes/sandbox';
import type { CgroupHost } from '@hermes/sandbox/host';
import { noRoom } from './check-room.ts';
import type { Errands } from './errands.ts';
import { probeRemoteCgroups } from './remote-cgroups.ts';
import { PREPARE, STORE } from './scripts/prepare-host.ts';
import type { ResolvedSshSettings } from './settings.ts';

/** The host, made ready: it has a folder for sandboxes, with the supervisor in it. */
export type RemoteHost = Readonly<{
  rootDir: string;
  isRoot: boolean;
  account: string;
  /** Changes when the host starts anew; empty where it does not say. */
  boot: string;
  /** Where the account's own shell finds programs. */
  path: string;
  /** The supervisor: a file in the folder `bin`, named by its content. */
  program: string;
  kind: 'go' | 'sh';
  /** Null where the account may make no control groups. */
  cgroups: CgroupHost | null;
}>;

type Settings = Pick<
  ResolvedSshSettings,
  'rootDir' | 'supervisor' | 'cgroupRoot' | 'connectTimeoutMs'
>;
type Facts = Omit<RemoteHost, 'program' | 'kind' | 'cgroups'> &
  Readonly<{ system: string; present: readonly string[] }>;

/** A unix socket's path may have 107 bytes; the supervisor asks for a little less. */
const LONGEST_ROOT = 100 - '/hermes-0123456789abcdef01234567/state/sock'.length;

/** Makes the folder, tries the control groups, uploads the supervisor unless it is there, and sees whether it runs. Throws CONFIG, TRANSPORT or AUTH. */
export async function prepareHost(errands: Errands, settings: Settings): Promise<RemoteHost> {
  const { system, present, ...facts } = await readFacts(errands, settings);
  const host = { ...facts, cgroups: await probeRemoteCgroups(errands, settings.cgroupRoot) };
  const place = { errands, rootDir: host.rootDir, present };
  const program = settings.supervisor === 'sh' ? null : await installProgram(place, system);
  if (program !== null) return { ...host, program, kind: 'go' };
  if (settings.supervisor === 'go') {
    const why = `the Go supervisor does not run in ${host.rootDir} on ${system}; set supervisor sh, or a rootDir from which programs may be started`;
    throw new SandboxError('CONFIG', 'provider', `sandbox ssh: ${why}`);
  }
  const script = await store(place, supervisorFiles().fallback, '.sh');
  return { ...host, program: script, kind: 'sh' };
}

async function readFacts(
  errands: Errands,
  { rootDir, connectTimeoutMs: timeoutMs }: Settings,
): Promise<Facts> {
  const options = { args: [rootDir], timeoutMs };
  const { exitCode, output, errors } = await errands.run(PREPARE, options);
  const [root = '', uid, account = '', system = '', boot = '', path = '', ...present] = output
    .trimEnd()
    .split('\n');
  if (exitCode !== 0)
    throw new SandboxError(
      'CONFIG',
      'provider',
      `sandbox ssh: make the folder for sandboxes: ${errors}; set rootDir`,
    );
  if (Buffer.byteLength(root) > LONGEST_ROOT) {
    const message = `sandbox ssh: rootDir ${root} is longer than ${LONGEST_ROOT} bytes, which leaves no room for a socket's path`;
    throw new SandboxError('CONFIG', 'provider', message);
  }
  return { rootDir: root, isRoot: uid === '0', account, system, boot, path, present };
}

type Place = Readonly<{
  errands: Errands;
  rootDir: string;
  present: readonly string[];
}>;

/** Null where there is no build for the host, or it cannot be started there. */
async function installProgram(place: Place, system: string): Promise<string | null> {
  const [kernel, machine = ''] = system.split(' ');
  const local = kernel === 'Linux' ? supervisorFiles().binary(machine) : null;
  if (local === null) return null;
  const name = await store(place, local, '');
  const args = [`${place.rootDir}/bin/${name}`];
  const { exitCode } = await place.errands.run('"$1" version </dev/null', { args });
  return exitCode === 0 ? name : null;
}

/** Uploads a file under the digest of its content, once for the host. */
async function store(
  { errands, rootDir, present }: Place,
  file: string,
  ending: string,
): Promise<string> {
  const content = await readFile(file);
  const digest = createHash('sha256').update(content).digest('hex');
  const name = `${digest}${ending}`;
  if (present.includes(name)) return name;
  const args = [`${rootDir}/bin/${name}`, digest];
  const { exitCode, errors } = await errands.feed(STORE, args, content);
  if (exitCode === 0) return name;
  const what = `sandbox ssh: store the supervisor in ${rootDir}: ${errors}`;
  if (/No space left|quota exceeded/i.test(errors)) throw noRoom(what);
  throw new SandboxError('CONFIG', 'provider', what);
}
