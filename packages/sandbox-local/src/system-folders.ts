import { existsSync, lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** What a sandbox sees of the host, all read-only. */
export type SystemFolders = Readonly<{
  /** Host paths shown under their own name. */
  paths: readonly string[];
  /** Links to make, as on the host: `/bin` to `usr/bin`. */
  links: readonly Readonly<{ path: string; target: string }>[];
  /** Kernel settings that the harness's own user could change: root, also inside a user namespace. */
  kernelPaths: readonly string[];
}>;

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

/** Looks at this machine once: /usr, what belongs to it at the top, and the harmless part of /etc. */
export function findSystemFolders(extraPaths: readonly string[]): SystemFolders {
  const top = TOP_LEVEL.filter((path) => existsSync(path));
  const isLink = (path: string) => lstatSync(path).isSymbolicLink();
  const isRoot = process.getuid?.() === 0;
  return {
    links: top.filter(isLink).map((path) => ({ path, target: readlinkSync(path) })),
    paths: ['/usr', ...top.filter((path) => !isLink(path)), ...etcPaths(), ...extraPaths],
    kernelPaths: isRoot ? KERNEL_PATHS.filter((path) => existsSync(path)) : [],
  };
}

function etcPaths(): string[] {
  const names = readdirSync('/etc').filter((name) => ETC_NAMES.test(name));
  return [...names, ...ETC_PATHS]
    .map((name) => join('/etc', name))
    .filter((path) => existsSync(path));
}
