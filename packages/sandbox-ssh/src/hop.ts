/** One server that is logged in to, on the way or at its end. */
export type Hop = Readonly<{
  host: string;
  port: number;
  user: string;
  /** File of a private key. */
  key?: string;
  passphrase?: string;
  password?: string;
  /** Socket of an agent. */
  agent?: string;
  /** The local user's home folder, where keys lie that nobody named. */
  home: string;
}>;

/** A hop as people know it. */
export function describeHop({ user, host, port }: Pick<Hop, 'user' | 'host' | 'port'>): string {
  return `${user}@${hostName(host, port)}`;
}

/** A host as known_hosts files write it: with its port unless that is 22. */
export function hostName(host: string, port: number): string {
  return port === 22 ? host : `[${host}]:${port}`;
}

const NAME = /^(?:([^@\s]+)@)?(?:\[([^\]\s]+)\]|([^@:\s[\]]+))(?::(\d{1,5}))?$/;

/** Reads `user@host:port`; an IPv6 address stands in brackets. Null for anything else. */
export function parseHopName(name: string): { host: string; port: number; user?: string } | null {
  const [, user, bracketed, plain, port = '22'] = NAME.exec(name.trim()) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535) return null;
  return { host, port: Number(port), ...(user === undefined ? {} : { user }) };
}
