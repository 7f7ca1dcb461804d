/** One server that is logged in to, on the way or at its end. */
export type Hop = Readonly<{
  host: string;
  port: number;
  user: string;
  /** File of a private key that must be usable. */
  key?: string;
  /** Files of private keys that are tried where they are there. */
  identityFiles: readonly string[];
  passphrase?: string;
  password?: string;
  /** Socket of an agent. */
  agent?: string;
  /** Under which name its key is known, where that is not host and port. */
  hostKeyAlias?: string;
  /** Files of known hosts. */
  knownHosts: readonly string[];
  /** What is done with a host that none of them knows. */
  hostKeys: 'known' | 'accept-new';
}>;

/** A hop as people know it. */
export function describeHop({ user, host, port }: Pick<Hop, 'user' | 'host' | 'port'>): string {
  return `${user}@${hostName(host, port)}`;
}

/** A host as known_hosts files write it: with its port unless that is 22. */
function hostName(host: string, port: number): string {
  return port === 22 ? host : `[${host}]:${port}`;
}

/** The name under which files know a hop's key. */
export function knownName({
  host,
  port,
  hostKeyAlias,
}: Pick<Hop, 'host' | 'port' | 'hostKeyAlias'>): string {
  return (hostKeyAlias ?? hostName(host, port)).toLowerCase();
}

const NAME = /^(?:ssh:\/\/)?(?:([^@\s]+)@)?(?:\[([^\]\s]+)\]|([^@:\s[\]]+))(?::(\d{1,5}))?\/?$/;

/** Reads `user@host:port`; an IPv6 address stands in brackets. Null for anything else. */
export function parseHopName(name: string): { host: string; port?: number; user?: string } | null {
  const [, user, bracketed, plain, port] = NAME.exec(name.trim()) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined || Number(port ?? 1) < 1 || Number(port ?? 1) > 65_535) return null;
  return {
    host,
    ...(port === undefined ? {} : { port: Number(port) }),
    ...(user === undefined ? {} : { user }),
  };
}
