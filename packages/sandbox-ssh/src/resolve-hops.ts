import { settingsError } from '@hermes/sandbox/host';
import { type Hop, parseHopName } from './hop.ts';
import { type ConfigLine, type HostEntry, lookUpHost } from './ssh-config.ts';

/** A server as the user names it: the name may be one of the ssh configuration, which fills in what is absent. */
export type NamedHop = Readonly<{
  host: string;
  port?: number;
  user?: string;
  key?: string;
  passphrase?: string;
  password?: string;
  /** Socket of an agent; an empty string: none. */
  agent?: string;
}>;

/** What all hops of a provider have in common. */
export type HopContext = Readonly<{
  config: readonly ConfigLine[];
  localUser: string;
  home: string;
  /** The agent of the environment. */
  agent: string | undefined;
  /** Files of known hosts that the user named. */
  knownHosts: readonly string[] | undefined;
  hostKeys: 'known' | 'accept-new';
  /** A path with `~` as a whole one. */
  expand: (path: string) => string;
}>;

const DEFAULT_KEYS = ['~/.ssh/id_ed25519', '~/.ssh/id_ecdsa', '~/.ssh/id_rsa'];
const USER_KNOWN_HOSTS = ['~/.ssh/known_hosts'];
const GLOBAL_KNOWN_HOSTS = ['/etc/ssh/ssh_known_hosts'];

/** The hop with all that the ssh configuration says of it. Throws CONFIG for what there cannot be used. */
export function resolveHop(named: NamedHop, context: HopContext): Hop {
  const entry = entryOf(named, context);
  const host = hostOf(named, entry);
  const port = named.port ?? portOf(named, entry);
  const user = named.user ?? entry.first('user')?.[0] ?? context.localUser;
  const expand = (path: string) =>
    context.expand(
      replaceTokens(path, { ...tokensOf(context, named), h: host, p: `${port}`, r: user }),
    );
  const agent = named.agent ?? agentOf(entry, context);
  const [hostKeyAlias] = entry.first('hostkeyalias') ?? [];
  return {
    ...{ host, port, user },
    ...(named.key === undefined ? {} : { key: context.expand(named.key) }),
    identityFiles: identityFiles(entry).map(expand),
    ...(named.passphrase === undefined ? {} : { passphrase: named.passphrase }),
    ...(named.password === undefined ? {} : { password: named.password }),
    ...(agent ? { agent: expand(agent) } : {}),
    ...(hostKeyAlias === undefined ? {} : { hostKeyAlias }),
    knownHosts: (context.knownHosts ?? knownHostsOf(entry)).map(expand),
    // Only stricter: what a configuration allows for its user's own work is no permission for ours.
    hostKeys: isStrict(entry) ? 'known' : context.hostKeys,
  };
}

/** The servers before a host by its configuration (ProxyJump), the first one first. Throws CONFIG for a ProxyCommand, or jumps in a circle. */
export function jumpsOf(
  named: NamedHop,
  context: HopContext,
  seen: readonly string[] = [],
): readonly Hop[] {
  if (seen.includes(named.host))
    throw settingsError(
      'ssh',
      `the ssh configuration jumps in a circle: ${[...seen, named.host].join(' > ')}`,
    );
  const way = proxyOf(entryOf(named, context), named.host);
  const hops = way.map((name) => {
    const hop = parseHopName(name);
    if (hop !== null) return hop;
    throw settingsError('ssh', `ProxyJump of ${named.host}: '${name}' is no user@host:port`);
  });
  const [first] = hops;
  const before = first === undefined ? [] : jumpsOf(first, context, [...seen, named.host]);
  return [...before, ...hops.map((hop) => resolveHop(hop, context))];
}

function entryOf({ host, user }: NamedHop, { config, localUser }: HopContext): HostEntry {
  return lookUpHost(config, { name: host, user, localUser });
}

/** Whichever of the two comes first counts, as in OpenSSH. */
function proxyOf(entry: HostEntry, name: string): readonly string[] {
  const line = entry.firstOf(['proxyjump', 'proxycommand']);
  const [way = 'none'] = line?.words ?? [];
  if (way.toLowerCase() === 'none') return [];
  if (line?.keyword === 'proxyjump') return way.split(',');
  const message = `the ssh configuration reaches ${name} by a ProxyCommand, which is not run here; use ProxyJump there, or set jump`;
  throw settingsError('ssh', message);
}

function hostOf({ host }: NamedHop, entry: HostEntry): string {
  const [name] = entry.first('hostname') ?? [];
  return name === undefined ? host : replaceTokens(name, { h: host });
}

function portOf({ host }: NamedHop, entry: HostEntry): number {
  const [text = '22'] = entry.first('port') ?? [];
  const port = Number(text);
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port;
  throw settingsError('ssh', `Port of ${host} in the ssh configuration: '${text}' is no port`);
}

function identityFiles(entry: HostEntry): readonly string[] {
  const named = entry.all('identityfile');
  return named.length === 0 ? DEFAULT_KEYS : named.filter((path) => path.toLowerCase() !== 'none');
}

function agentOf(entry: HostEntry, { agent }: HopContext): string | undefined {
  const [named] = entry.first('identityagent') ?? [];
  if (named === undefined || named === 'SSH_AUTH_SOCK') return agent;
  return named.toLowerCase() === 'none' ? undefined : named;
}

/** A file that keeps nothing would make every key a new one. */
function knownHostsOf(entry: HostEntry): readonly string[] {
  const kept = (keyword: string) =>
    entry.first(keyword)?.filter((path) => path !== '/dev/null' && path.toLowerCase() !== 'none');
  const own = kept('userknownhostsfile') ?? [];
  const global = kept('globalknownhostsfile') ?? GLOBAL_KNOWN_HOSTS;
  return [...(own.length === 0 ? USER_KNOWN_HOSTS : own), ...global];
}

function isStrict(entry: HostEntry): boolean {
  const [word = ''] = entry.first('stricthostkeychecking') ?? [];
  return ['yes', 'true'].includes(word.toLowerCase());
}

function tokensOf({ home, localUser }: HopContext, { host }: NamedHop): Record<string, string> {
  return { d: home, u: localUser, n: host };
}

/** `%h` and the like; `%%` is a percent sign. What is not known stays. */
function replaceTokens(text: string, tokens: Readonly<Record<string, string>>): string {
  const all: Readonly<Record<string, string>> = { ...tokens, '%': '%' };
  return text.replace(/%(.)/g, (whole, letter: string) => all[letter] ?? whole);
}
