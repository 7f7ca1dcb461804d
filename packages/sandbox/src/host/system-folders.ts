import { existsSync, lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

const TOP_LEVEL = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];

/**
 * What programs need of /etc, by pattern. Nothing else is shown: a harness that runs as root could read
 * every key and password file there.
 */
const ETC_NAMES = new RegExp(
  `^(${[
    'alternatives|bash\\.bashrc|bash_completion\\.d|ca-certificates(\\.conf)?|crypto-policies|debian_version',
    'fonts|gai\\.conf|group|host\\.conf|hosts|inputrc|java-.*|ld\\.so\\..*|locale\\.(alias|conf|gen)|localtime',
    'login\\.defs|magic(\\.mime)?|mailcap|mime\\.types|networks|nsswitch\\.conf|os-release|passwd|perl|php',
    'profile(\\.d)?|protocols|python3.*|redhat-release|rpc|services|shells|skel|terminfo|timezone|vim|xattr\\.conf',
  ].join('|')})$`,
);
const ETC_PATHS = [
  'ssl/certs',
  'ssl/cert.pem',
  'ssl/openssl.cnf',
  'pki/ca-trust',
  'pki/tls/cert.pem',
  'pki/tls/certs',
];
const KERNEL_PATHS = ['/proc/sys', '/proc/sysrq-trigger'];

/** What programs need of this machine, and what of it must not be changed. Paths as they are on the host. */
export type SystemFolders = Readonly<{
  /** Links at the top, such as `/bin`, with where they lead. */
  links: readonly Readonly<{ path: string; target: string }>[];
  /** Folders and files to show read-only. */
  readOnly: readonly string[];
  /** Parts of `/proc` that the harness's own user could change the machine by: to be made read-only. */
  kernelPaths: readonly string[];
}>;

/** /usr, what belongs to it at the top, and the harmless part of /etc. Looks at this machine once. */
export function findSystemFolders(extraPaths: readonly string[] = []): SystemFolders {
  const top = TOP_LEVEL.filter((path) => existsSync(path));
  const isLink = (path: string) => lstatSync(path).isSymbolicLink();
  const folders = top.filter((path) => !isLink(path));
  return {
    links: top.filter(isLink).map((path) => ({ path, target: readlinkSync(path) })),
    readOnly: ['/usr', ...folders, ...etcPaths(), ...extraPaths],
    kernelPaths: kernelPaths(),
  };
}

/** Kernel settings that the harness's own user could change: root, also inside a user namespace. */
function kernelPaths(): string[] {
  return process.getuid?.() === 0 ? KERNEL_PATHS.filter((path) => existsSync(path)) : [];
}

function etcPaths(): string[] {
  const names = readdirSync('/etc').filter((name) => ETC_NAMES.test(name));
  return [...names, ...ETC_PATHS]
    .map((name) => join('/etc', name))
    .filter((path) => existsSync(path));
}
