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

/**
 * What a sandbox sees of the host, all read-only, as bubblewrap's arguments: /usr, what belongs to it at the top, the
 * harmless part of /etc, and /proc. Looks at this machine once.
 */
export function systemFolderArguments(extraPaths: readonly string[]): readonly string[] {
  const top = TOP_LEVEL.filter((path) => existsSync(path));
  const isLink = (path: string) => lstatSync(path).isSymbolicLink();
  const folders = ['/usr', ...top.filter((path) => !isLink(path)), ...etcPaths(), ...extraPaths];
  return [
    ...top.filter(isLink).flatMap((path) => ['--symlink', readlinkSync(path), path]),
    ...folders.flatMap((path) => ['--ro-bind-try', path, path]),
    ...['--proc', '/proc', ...kernelPaths().flatMap((path) => ['--ro-bind', path, path])],
  ];
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
